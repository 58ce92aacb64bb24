import type { MessageId } from "../../../api/ids.ts";
import type { MessageRecord, ReactionRecord } from "../../../api/messages/message.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { pushTo } from "../../platform/std/multimap.ts";
import type { EditRow } from "../edit/store.ts";
import { listVisibleEdits, presentEditHistory } from "../history/edit-history.ts";
import { listReactions, type ReactionRow } from "../query/fetch.ts";
import type { Reader } from "../query/readable/readable-ranges.ts";
import { hasFlag, messageFacts } from "./message.ts";
import { listSubmessages } from "./submessage-store.ts";
import { presentSubmessage, type Submessage } from "./submessages.ts";

type Extras = Partial<Pick<MessageRecord, "reactions" | "submessages" | "edit_history">>;

/** What people added to messages after they were sent, read for a whole page at once. */
export class MessageExtras {
  readonly #reactions: ReadonlyMap<MessageId, ReactionRow[]>;
  readonly #edits: ReadonlyMap<MessageId, EditRow[]>;
  readonly #submessages: ReadonlyMap<MessageId, Submessage[]>;

  private constructor(
    reactions: readonly ReactionRow[],
    edits: ReadonlyMap<MessageId, EditRow[]>,
    submessages: readonly Submessage[],
  ) {
    this.#reactions = byMessage(reactions);
    this.#edits = edits;
    this.#submessages = byMessage(submessages);
  }

  static async read(
    reader: Reader,
    tx: Queryable,
    messages: readonly { id: MessageId; facts: number }[],
  ): Promise<MessageExtras> {
    const { organizationId } = reader.state;
    if (messages.length === 0) return new MessageExtras([], new Map(), []);
    const ids = messages.map(({ id }) => id);
    const widgets = messages
      .filter((message) => hasFlag(message.facts, messageFacts.isWidget))
      .map(({ id }) => id);
    const [reactions, edits, submessages] = await Promise.all([
      listReactions(tx, organizationId, ids),
      listVisibleEdits(reader, tx, ids),
      widgets.length > 0 ? listSubmessages(tx, organizationId, widgets) : [],
    ]);
    return new MessageExtras(reactions, edits, submessages);
  }

  /** The fields that a message in a listing has besides those of its own row. */
  present(id: MessageId, form: { emptyTopicName: boolean }): Extras {
    const reactions = this.#reactions.get(id);
    const submessages = this.#submessages.get(id);
    const history = presentEditHistory(this.#edits.get(id) ?? [], form);
    return {
      ...(reactions && { reactions: reactions.map(presentReaction) }),
      ...(submessages && { submessages: submessages.map(presentSubmessage) }),
      ...(history.length > 0 && { edit_history: history }),
    };
  }
}

function byMessage<Row extends { messageId: MessageId }>(rows: readonly Row[]): Map<MessageId, Row[]> {
  const lists = new Map<MessageId, Row[]>();
  for (const row of rows) pushTo(lists, row.messageId, row);
  return lists;
}

function presentReaction(reaction: ReactionRow): ReactionRecord {
  return {
    emoji_name: reaction.emojiName,
    emoji_code: reaction.emojiCode,
    reaction_type: reaction.reactionType,
    user_id: reaction.userId,
  };
}
