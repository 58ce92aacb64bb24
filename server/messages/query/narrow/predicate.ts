import { ApiError, errors } from "../../../../api/errors.ts";
import type { ConversationId, RecipientId, TopicId } from "../../../../api/ids.ts";
import type { Channel } from "../../../channels/channel.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { Sql } from "../../../platform/db/sql.ts";
import type { WordQuery } from "../../search/query.ts";
import type { Reader } from "../readable/readable-ranges.ts";
import type { AccessPath } from "../scan.ts";

export type Operand = string | number | readonly (string | number)[];

/**
 * What a term says about the messages that match it. A negated term says only that its condition does not
 * hold.
 */
export interface Predicate {
  /** A condition over messages `m` and the table `range`. Absent: the term restricts nothing. */
  condition?: Sql;
  /**
   * The words that every match has. They are not in the condition, since not every message is in the index.
   */
  words?: WordQuery;
  /** Set if every match is a channel message, or every match is a direct one. */
  kind?: "channel" | "direct";
  /** The only channels or conversations in which anything can match. */
  channels?: readonly Channel[];
  conversations?: readonly ConversationId[];
  /**
   * Whether every message of its kind, channels and conversations matches, so that the condition need not be
   * tested.
   */
  isPlace?: boolean;
  matchesNothing?: boolean;
  /** If set, nothing matches the negated term. */
  matchesEverything?: boolean;
  /** Channels in which nothing matches. The condition alone would still search through them. */
  without?: readonly RecipientId[];
  /** Set when nothing matches outside this topic. */
  topicId?: TopicId;
  /** Whether it also includes messages that the reader may read but did not receive. */
  withHistory?: boolean;
  /** A filter term that the word index has for every match, for a search in the same narrow. */
  filterTerm?: string;
  /** The access path that finds a match soonest. */
  path?: AccessPath;
}

/** What operators use for lookups. */
export interface NarrowContext {
  reader: Reader;
  tx: Queryable;
  /** The channel that the narrow is limited to, if any. */
  channel: Channel | undefined;
}

export function badNarrow(desc: string): ApiError<{ desc: string }> {
  return new ApiError(errors.badNarrow, { desc });
}
