import type { Viewer } from "../../people/viewer/viewer.ts";
import { networkOf } from "../../platform/http/rate-limit.ts";
import { type Session, sessions } from "./live-sessions.ts";
import { updateSessionUse } from "./store.ts";

const COARSENESS_MS = 60_000;

/** Writes when sessions are used, each at most once in a minute. Nothing waits for it. */
export class LastUseWriter {
  readonly #report: (error: unknown) => void;
  readonly #writtenAt = new WeakMap<Session, number>();

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** `address` is the IP address that the request came from. */
  note({ state, credential }: Viewer, address: string): void {
    const session = credential?.kind === "session" ? state.get(sessions).find(credential.hash) : undefined;
    if (!session) return;
    const now = Date.now();
    if ((this.#writtenAt.get(session) ?? 0) > now - COARSENESS_MS) return;
    this.#writtenAt.set(session, now);
    updateSessionUse(state.database, state.organizationId, session.id, networkOf(address)).catch(
      this.#report,
    );
  }
}
