import type { MessageId, OrganizationId } from "../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import { listReactions, type ReactionRow } from "./fetch.ts";

/** What was added to messages after they were sent; read for a whole page at once. */
export class Additions {
  readonly #reactions: ReadonlyMap<MessageId, ReactionRow[]>;

  private constructor(reactions: ReadonlyMap<MessageId, ReactionRow[]>) {
    this.#reactions = reactions;
  }

  static async read(
    tx: Queryable,
    organizationId: OrganizationId,
    ids: readonly MessageId[],
  ): Promise<Additions> {
    if (ids.length === 0) return new Additions(new Map());
    return new Additions(byMessage(await listReactions(tx, organizationId, ids)));
  }

  /** The fields of a message in a listing that it has beside those of its own row. */
  present(id: MessageId): Record<string, unknown> {
    const reactions = this.#reactions.get(id);
    return reactions ? { reactions: reactions.map(presentReaction) } : {};
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
