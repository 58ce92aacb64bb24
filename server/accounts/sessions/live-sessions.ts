import type { UserId } from "../../../api/ids.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { queuesOf } from "../../platform/queues/organization-queues.ts";
import { listSessions } from "./store.ts";

/** What the person showed to begin a session. A provider answers for second steps itself. */
export type SignedInBy = "password" | "second step" | "passkey" | "provider";

/** A browser that is signed in, as every node knows it. */
export interface Session {
  id: number;
  userId: UserId;
  /** The keyed hash of its token, in base64. */
  hash: string;
  signedInBy: SignedInBy;
  /** When it ends at the latest, in milliseconds since the epoch. Without use it ends earlier. */
  endsAt: number;
}

/** The sessions of an organization, by the keyed hashes of their tokens. */
export class Sessions {
  readonly #byHash = new Map<string, Session>();
  readonly #byId = new Map<number, Session>();
  readonly #ofUser = new Map<UserId, Set<Session>>();

  /** undefined for a session that has ended. */
  find(hash: string): Session | undefined {
    const session = this.#byHash.get(hash);
    return session && session.endsAt > Date.now() ? session : undefined;
  }

  ofUser(userId: UserId): readonly Session[] {
    return [...(this.#ofUser.get(userId) ?? [])];
  }

  /** A session that is there already gets another token. */
  put(session: Session): void {
    this.delete(session.id);
    this.#byId.set(session.id, session);
    this.#byHash.set(session.hash, session);
    const others = this.#ofUser.get(session.userId);
    if (others) others.add(session);
    else this.#ofUser.set(session.userId, new Set([session]));
  }

  delete(id: number): Session | undefined {
    const session = this.#byId.get(id);
    if (!session) return undefined;
    this.#byId.delete(id);
    this.#byHash.delete(session.hash);
    const others = this.#ofUser.get(session.userId);
    others?.delete(session);
    if (others?.size === 0) this.#ofUser.delete(session.userId);
    return session;
  }
}

/** Tokens that stop working: of sessions that end, and of those that go on with another token. */
interface SessionsPatch {
  ended: readonly number[];
  renewed: readonly Session[];
}

/**
 * What a request does with a session must not be committed after the session has ended. So ends count as
 * changes of the memory. Polls that the person's queues hold end, as with a new API key: each client comes
 * back and shows what it signs in with.
 */
export const sessions: Projection<Sessions, SessionsPatch> = {
  name: "sessions",
  async load(tx, organizationId) {
    const all = new Sessions();
    for (const session of await listSessions(tx, organizationId)) all.put(session);
    return all;
  },
  apply(value, { ended, renewed }, state) {
    const changed = ended.map((id) => value.delete(id));
    for (const session of renewed) value.put(session);
    const userIds = new Set([...changed, ...renewed].map((session) => session?.userId));
    for (const userId of userIds) {
      if (userId === undefined) continue;
      for (const queue of queuesOf(state).ofUser(userId)) queue.release();
    }
  },
};

/**
 * Sessions that begin. They forbid nothing, so nobody's change has to run again when many people sign in at
 * once.
 */
export const newSessions: Projection<undefined, { put: readonly Session[] }> = {
  name: "new_sessions",
  isAdvisory: true,
  load: async () => undefined,
  apply(_, { put }, state) {
    for (const session of put) state.get(sessions).put(session);
  },
};
