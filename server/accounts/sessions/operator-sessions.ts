/** What the server's operator sees and ends of somebody's sessions. */
import type { User } from "../../people/user.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { noteSecurityChange } from "../proof/security-change.ts";
import { endBegun, endSessions } from "./end.ts";
import { type ListedSession, listSessionsOf } from "./store.ts";

/** The one used last first. */
export function readSessions(
  { database, organizationId }: OrganizationState,
  { id }: User,
): Promise<ListedSession[]> {
  return listSessionsOf(database, organizationId, id);
}

/**
 * Ends one session of an account, or all, with an entry in the audit log and a mail. API keys stay. Returns
 * how many have ended.
 */
export async function endSessionsAsOperator(
  tx: Change,
  services: Pick<Services, "keyring" | "mailer">,
  user: User,
  sessionId?: number,
): Promise<number> {
  const { organizationId } = tx.state;
  const all = await listSessionsOf(tx, organizationId, user.id);
  const ended = all.filter(({ id }) => sessionId === undefined || id === sessionId);
  if (ended.length === 0 && sessionId !== undefined) return 0;
  await endBegun(tx, services.keyring, user.id);
  if (ended.length === 0) return 0;
  await endSessions(
    tx,
    ended.map(({ id }) => id),
  );
  const what = `The people who run the server ended ${ended.length === 1 ? "a session" : `${ended.length} sessions`}.`;
  await noteSecurityChange(tx, services, user, { action: "sessions_ended", what });
  return ended.length;
}
