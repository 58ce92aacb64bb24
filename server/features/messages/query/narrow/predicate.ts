import { ApiError, errors } from "../../../../../api/errors.ts";
import type { ConversationId, RecipientId, TopicId } from "../../../../../api/ids.ts";
import type { Queryable } from "../../../../platform/db/database.ts";
import type { Sql } from "../../../../platform/db/sql.ts";
import type { Channel } from "../../../channels/channel.ts";
import type { Reader } from "../readable/readable-ranges.ts";
import type { AccessPath } from "../scan.ts";

export type Operand = string | number | readonly (string | number)[];

/** What a term says of the messages that match it. A negated one says only that its condition does not hold. */
export interface Predicate {
  /** Over messages `m` and the table `range`; absent: the term says nothing. */
  condition?: Sql;
  /** Whether matches are channel messages, or direct ones. */
  kind?: "channel" | "direct";
  /** The only channels or conversations in which anything matches. */
  channels?: readonly Channel[];
  conversations?: readonly ConversationId[];
  /** Whether everything in its kind, channels and conversations matches, so that the condition need not be looked at. */
  isPlace?: boolean;
  matchesNothing?: boolean;
  /** So that nothing matches the negated term. */
  matchesEverything?: boolean;
  /** Channels in which nothing matches, though the condition alone would let them be searched through. */
  without?: readonly RecipientId[];
  /** Set when nothing matches outside of this topic. */
  topicId?: TopicId;
  /** Whether it also looks at what the reader may read without having received it; a `false` counts over a `true`. */
  withHistory?: boolean;
  /** A filter term that the index of words has for each match, for a search in the same narrow. */
  filterTerm?: string;
  /** The path on which a match is met soonest. */
  path?: AccessPath;
}

/** What operators look things up with. */
export interface NarrowContext {
  reader: Reader;
  tx: Queryable;
  /** The channel that the narrow is confined to, if it is. */
  channel: Channel | undefined;
}

export function badNarrow(desc: string): ApiError<{ desc: string }> {
  return new ApiError(errors.badNarrow, { desc });
}
