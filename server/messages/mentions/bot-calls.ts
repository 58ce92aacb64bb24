/**
 * Decides which bots' programs the server calls with a new message. A module above makes the calls, and
 * registers itself in the memory of each organization. The calls are written in the transaction of the
 * message.
 */
import type { MessageId, OrganizationId, UserId } from "../../../api/ids.ts";
import { type User, users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { hasFlag, personalFlags } from "../model/message.ts";
import { noCalls } from "./no-calls-store.ts";
import type { PersonalBits } from "./personal-flags.ts";

/** Why the server calls a bot's program (spec E22). */
export type Trigger = "direct_message" | "mention";

export interface BotCall {
  botId: UserId;
  trigger: Trigger;
}

/** A call that a message of a batch makes. `ordinal`: the number of the message, counted from 1. */
export interface BatchCall extends BotCall {
  ordinal: number;
}

export interface CallWriter {
  write(
    tx: Queryable,
    state: OrganizationState,
    messageId: MessageId,
    calls: readonly BotCall[],
  ): Promise<void>;
  /**
   * The same for a batch: tables of a `with` for `compiled`, the last of which is `called`, with a row for
   * each call. It must be read. The message with the number `ordinal` has the id `log.base + ordinal`.
   */
  tables<I>(organizationId: (input: I) => OrganizationId, calls: (input: I) => readonly BatchCall[]): Sql;
}

/** Registers what writes the calls. No entry of the log changes it. */
export function callWriter(writer: CallWriter): Projection<CallWriter> {
  return { name: "bot_calls", isAdvisory: true, load: async () => writer, apply() {} };
}

const writerOf = callWriter({
  write: async () => {},
  tables: () => noCalls,
});

/**
 * The bots that a message of this sender calls; null for nearly every message. `userIds`: the people of a
 * direct message. A message of a bot calls none, so that bots can't keep each other busy.
 */
export function callsOf(
  state: OrganizationState,
  sender: User,
  userIds: readonly UserId[] | null,
  personal: PersonalBits,
): readonly BotCall[] | null {
  const { calledBots } = state.get(users);
  if (calledBots.size === 0 || sender.botType !== null) return null;
  const calls = userIds
    ? userIds.filter((id) => calledBots.has(id)).map((botId) => callOf(botId, "direct_message"))
    : personal
        .filter(([id, bits]) => hasFlag(bits, personalFlags.mentioned) && calledBots.has(id))
        .map(([botId]) => callOf(botId, "mention"));
  return calls.length === 0 ? null : calls;
}

function callOf(botId: UserId, trigger: Trigger): BotCall {
  return { botId, trigger };
}

export function callWriterOf(state: OrganizationState): CallWriter {
  return state.get(writerOf);
}

export function writeCalls(
  tx: Queryable,
  state: OrganizationState,
  messageId: MessageId,
  calls: readonly BotCall[],
): Promise<void> {
  return state.get(writerOf).write(tx, state, messageId, calls);
}
