/**
 * Sign-ins that failed: a line in the log for each, which fail2ban and people can read, and an entry in the
 * audit log. Somebody who guesses must not fill the disk or hide others by it, so both are bounded. What was
 * typed as a name or a password is never in a line, since people mix the two up.
 */
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Follower } from "../../module-parts.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { Database } from "../../platform/db/database.ts";
import { networkOf, wideNetworkOf } from "../../platform/http/rate-limit.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";

/**
 * What was wrong. `link`: a code in a link. `limit`: nothing was looked at, after too many wrong ones.
 * deploy/fail2ban has these words.
 */
export type FailureReason = "password" | "second step" | "token" | "passkey" | "key" | "link" | "limit";
/** At the operator's page, which belongs to no organization. */
const OPERATOR = "operator key";

export interface SignInFailure {
  reason: FailureReason;
  /** The IP address of the client. */
  address: string;
  /** The account that was named, if there is one. */
  userId?: UserId | undefined;
}

const LINES_WINDOW_MS = 60_000;
/** Lines in a minute, for either kind. A line has some 200 bytes, so a year of both is 20 GB at most. */
const MAX_LINES = 100;
/** Lines of one network, so that it does not hide the others. fail2ban needs ten. */
const MAX_LINES_OF_NETWORK = 20;
/** Lines of the wide network around it: one customer of a provider may have a whole /48 of IPv6. */
const MAX_LINES_OF_WIDE_NETWORK = 40;
/** What fail2ban counts. Old keys and links of programs, of which there may be many, must not hide it. */
const GUESSES: readonly string[] = ["password", "second step", "token", "passkey", OPERATOR];

const ENTRIES_WINDOW_MS = 600_000;
/** Audit entries of one organization in ten minutes: 0.8 MB a day. */
const MAX_ENTRIES = 20;
/** Entries about one account. There is one for each network. */
const MAX_ENTRIES_OF_ACCOUNT = 3;
/** Nobody's secret was guessed at: a link is old, or the failures before have their entries. */
const UNAUDITED: readonly FailureReason[] = ["link", "limit"];

const logs = new WeakMap<Database, FailureLog>();

/** Notes a failure where the server keeps a log of them: commands do not. Costs the caller no statement. */
export function noteFailure(state: OrganizationState, failure: SignInFailure): void {
  logs.get(state.database)?.note(state, failure);
}

/** Notes a wrong key at the operator's page by a line, as for any other sign-in. It has no audit entry. */
export function noteWrongOperatorKey(database: Database, address: string): void {
  logs.get(database)?.line({ address, reason: OPERATOR });
}

/** What this process notes of sign-ins that fail. */
export class FailureLog implements Follower {
  readonly #services: Pick<Services, "database" | "log">;
  readonly #report: (error: unknown) => void;
  readonly #guesses = new Bound(MAX_LINES);
  readonly #others = new Bound(MAX_LINES);
  #linesEnd: NodeJS.Timeout | undefined;
  #lost = 0;
  readonly #entries = new Map<OrganizationState, Bound>();
  #entriesEnd: NodeJS.Timeout | undefined;
  readonly #writing = new Set<Promise<void>>();

  constructor(services: Pick<Services, "database" | "log">, report: (error: unknown) => void) {
    this.#services = services;
    this.#report = report;
  }

  start(): void {
    logs.set(this.#services.database, this);
  }

  /** Resolves when all entries are written, or have failed. */
  async stop(): Promise<void> {
    logs.delete(this.#services.database);
    clearTimeout(this.#entriesEnd);
    if (this.#linesEnd) this.endLines();
    await Promise.all(this.#writing);
  }

  note(state: OrganizationState, failure: SignInFailure): void {
    const { address, reason, userId } = failure;
    const { organizationId } = state;
    this.line({ organizationId, userId, address, reason });
    if (userId !== undefined && !UNAUDITED.includes(reason)) this.#audit(state, { ...failure, userId });
  }

  /** Writes a line, unless there are as many in this minute as there may be. */
  line(facts: {
    organizationId?: OrganizationId;
    userId?: UserId | undefined;
    address: string;
    reason: string;
  }): void {
    const { address, reason } = facts;
    this.#linesEnd ??= setTimeout(() => this.endLines(), LINES_WINDOW_MS).unref();
    const lines = GUESSES.includes(reason) ? this.#guesses : this.#others;
    const networks = [
      { key: `in ${networkOf(address)}`, max: MAX_LINES_OF_NETWORK },
      { key: `around ${wideNetworkOf(address)}`, max: MAX_LINES_OF_WIDE_NETWORK },
    ];
    if (lines.take(networks)) this.#services.log.warn(facts, "a sign-in failed");
    else this.#lost++;
  }

  /** Ends the minute: says how many lines were left out in it. */
  endLines(): void {
    clearTimeout(this.#linesEnd);
    this.#linesEnd = undefined;
    this.#guesses.clear();
    this.#others.clear();
    const count = this.#lost;
    this.#lost = 0;
    if (count > 0) this.#services.log.warn({ count }, "more sign-ins failed than the log has lines for");
  }

  #audit(state: OrganizationState, { address, reason, userId }: SignInFailure & { userId: UserId }): void {
    this.#entriesEnd ??= setTimeout(() => {
      this.#entriesEnd = undefined;
      this.#entries.clear();
    }, ENTRIES_WINDOW_MS).unref();
    let bound = this.#entries.get(state);
    if (!bound) {
      bound = new Bound(MAX_ENTRIES);
      this.#entries.set(state, bound);
    }
    const inNetwork = `${userId} ${networkOf(address)}`;
    if (bound.of(inNetwork) > 0 || !bound.take([{ key: `${userId}`, max: MAX_ENTRIES_OF_ACCOUNT }])) return;
    bound.mark(inNetwork);
    const entry = {
      action: "sign_in_failed",
      targetId: userId,
      changes: { reason: { new: reason } },
      address,
    } as const;
    // Waiting for it would tell by the time whether a name is an account's.
    const written = runContentChange(state, (tx) => recordAudit(tx, entry))
      .catch(this.#report)
      .finally(() => this.#writing.delete(written));
    this.#writing.add(written);
  }
}

/** Counts for a while, together and by key. At most as many keys are kept as are counted. */
class Bound {
  readonly #max: number;
  #count = 0;
  readonly #byKey = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  of(key: string): number {
    return this.#byKey.get(key) ?? 0;
  }

  /** Counts one more, unless there are as many as there may be, together or of one of the keys. */
  take(keys: readonly { key: string; max: number }[]): boolean {
    if (this.#count >= this.#max || keys.some(({ key, max }) => this.of(key) >= max)) return false;
    this.#count++;
    for (const { key } of keys) this.mark(key);
    return true;
  }

  mark(key: string): void {
    this.#byKey.set(key, this.of(key) + 1);
  }

  clear(): void {
    this.#count = 0;
    this.#byKey.clear();
  }
}
