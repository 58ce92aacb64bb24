import { ServerBusy } from "../db/server-busy.ts";

/**
 * How long a transaction waits for its turn to commit. PostgreSQL ends one whose node sends nothing for much
 * longer, and what is sent after that has an unknown outcome.
 */
const MAX_TURN_WAIT_MS = 4_000;

/** The turn came too late. Nothing was sent, so the transaction may run again. */
export class LateTurn extends ServerBusy {}

/** Throws LateTurn if the turn that was asked for at this time came too late. */
export function checkTurn(askedAt: number): void {
  if (performance.now() - askedAt > MAX_TURN_WAIT_MS) throw new LateTurn("the log was busy for too long");
}
