/**
 * How much a person may cause in an hour. The rate limit counts calls, and one call can make a thousand
 * channels, which go to everybody. So what a call causes is counted too. The use is a row that is written in
 * the transaction of the change: a change that fails uses nothing, and all nodes share the count.
 */
import { ApiError, errors } from "../../../api/errors.ts";
import { roles } from "../../../api/roles.ts";
import type { Config } from "../../config.ts";
import { type User, users } from "../user.ts";
import type { ViewerChange } from "../viewer/change.ts";
import type { Viewer } from "../viewer/viewer.ts";
import { addQuotaUse } from "./store.ts";

/** The things that are limited by the hour. */
export type Quota =
  | "API keys"
  | "bots"
  | "channels"
  | "custom emoji"
  | "device tokens"
  | "drafts"
  | "groups"
  | "invitations"
  | "MiB of files"
  | "pictures"
  | "profile fields"
  | "profile values"
  | "reminders"
  | "reports"
  | "scheduled messages"
  | "snippets"
  | "statuses"
  | "topics"
  | "views";
export type QuotaLimits = Readonly<Record<Quota, number>>;

/** Far more than a person does by hand. `topics` are those that are named without a message. */
const MEMBER_LIMITS: QuotaLimits = {
  "API keys": 20,
  bots: 20,
  channels: 100,
  "custom emoji": 100,
  "device tokens": 200,
  drafts: 1000,
  groups: 50,
  invitations: 100,
  "MiB of files": 1000,
  pictures: 50,
  "profile fields": 100,
  "profile values": 500,
  reminders: 200,
  reports: 10,
  "scheduled messages": 200,
  snippets: 100,
  statuses: 100,
  topics: 200,
  views: 100,
};
/** Enough to set up an organization by a script. Nobody needs many keys for that. */
const ADMINISTRATOR_LIMITS: QuotaLimits = {
  "API keys": 20,
  bots: 500,
  channels: 5000,
  "custom emoji": 2000,
  "device tokens": 5000,
  drafts: 5000,
  groups: 5000,
  invitations: 5000,
  "MiB of files": 20_000,
  pictures: 2000,
  "profile fields": 5000,
  "profile values": 5000,
  reminders: 5000,
  reports: 100,
  snippets: 5000,
  statuses: 5000,
  "scheduled messages": 5000,
  topics: 5000,
  views: 5000,
};

/** It holds the limits alone, so each list of routes makes its own. */
export class Quotas {
  readonly #limits: { members: QuotaLimits; administrators: QuotaLimits } | undefined;

  /** Without limits nothing is counted. On a development server everybody has an administrator's limits. */
  constructor({ hasRateLimits, isDevelopment }: Pick<Config, "hasRateLimits" | "isDevelopment">) {
    this.#limits = hasRateLimits
      ? {
          members: isDevelopment ? ADMINISTRATOR_LIMITS : MEMBER_LIMITS,
          administrators: ADMINISTRATOR_LIMITS,
        }
      : undefined;
  }

  /**
   * Counts what `tx.viewer` is about to do `amount` times. A bot uses its owner's quota. Throws
   * `rateLimitHit`, which rolls the change back, if that is more than what is left of this hour. Throws
   * `overQuota` if no hour has room for it.
   */
  async use(tx: ViewerChange, quota: Quota, amount = 1): Promise<void> {
    if (!this.#limits || amount === 0) return;
    const person = personBehind(tx.viewer);
    const limit = person.role <= roles.administrator ? this.#limits.administrators : this.#limits.members;
    if (amount > limit[quota]) throw new ApiError(errors.overQuota, { what: quota, limit: limit[quota] });
    const { used, secondsLeft } = await addQuotaUse(tx, tx.state.organizationId, person.id, quota, amount);
    if (used > limit[quota])
      throw new ApiError(errors.rateLimitHit, { retryAfter: Math.max(1, secondsLeft) });
  }
}

function personBehind({ state, user }: Viewer): User {
  const owner = user.botOwnerId === null ? undefined : state.get(users).byId.get(user.botOwnerId);
  return owner ?? user;
}
