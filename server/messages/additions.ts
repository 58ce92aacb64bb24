import type { MessageId } from "../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import { listVisibleEdits, presentEditHistory } from "./edit-history.ts";
import type { EditRow } from "./edit-store.ts";
import { listReactions, type ReactionRow } from "./fetch.ts";
import type { Reader } from "./spans.ts";

/** What was added to messages after they were sent; read for a whole page at once. */
export class Additions {
  readonly #reactions: ReadonlyMap<MessageId, ReactionRow[]>;
  readonly #edits: ReadonlyMap<MessageId, EditRow[]>;

  private constructor(
    reactions: ReadonlyMap<MessageId, ReactionRow[]>,
    edits: ReadonlyMap<MessageId, EditRow[]>,
  ) {
    this.#reactions = reactions;
    this.#edits = edits;
  }

  static async read(reader: Reader, tx: Queryable, ids: readonly MessageId[]): Promise<Additions> {
    const { organizationId } = reader.live;
    if (ids.length === 0) return new Additions(new Map(), new Map());
    const [reactions, edits] = await Promise.all([
      listReactions(tx, organizationId, ids),
      listVisibleEdits(reader, tx, ids),
    ]);
    return new Additions(byMessage(reactions), edits);
  }

  /** The fields of a message in a listing that it has beside those of its own row. */
  present(id: MessageId, form: { emptyTopicName: boolean }): Record<string, unknown> {
    const reactions = this.#reactions.get(id);
    const history = presentEditHistory(this.#edits.get(id) ?? [], form);
    return {
      ...(reactions && { reactions: reactions.map(presentReaction) }),
      ...(history.length > 0 && { edit_history: history }),
    };
  }
}

function byMessage<Row extends { messageId: MessageId }>(rows: readonly Row[]): Map<MessageId, Row[]> {
  const lists = new Map<MessageId, Row[]>();
  for (const row of rows) {
    const list = lists.get(row.messageId);
    if (list) list.push(row);
    else lists.set(row.messageId, [row]);
  }
  return lists;
}

function presentReaction(reaction: ReactionRow): Record<string, unknown> {
  return {
    emoji_name: reaction.emojiName,
    emoji_code: reaction.emojiCode,
    reaction_type: reaction.reactionType,
    user_id: reaction.userId,
  };
}
