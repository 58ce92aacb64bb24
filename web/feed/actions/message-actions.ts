/** What can be done with a message, beyond reading it. Keys, the toolbar and the menu all come here. */
import { MAX_MESSAGES_A_CALL } from "../../../api/limits.ts";
import { updateMessageFlags, updateMessageFlagsForNarrow } from "../../../api/messages/flags.ts";
import { getMessage } from "../../../api/messages/messages.ts";
import { addReaction, removeReaction } from "../../../api/messages/reactions.ts";
import type { Emoji } from "../../../client/autocomplete/emoji.ts";
import type { Message, Reaction } from "../../../client/model/messages.ts";
import { type Conversation, type Narrow, narrowParameter } from "../../../client/narrow.ts";
import type { Address } from "../../../client/outbox/message.ts";
import { t } from "../../i18n/t.ts";
import { composeTo, focusCompose, insertText } from "../../shared/compose/compose-target.ts";
import { linkTo, narrowOfMessage } from "../../shared/routing/links.ts";
import { go } from "../../shared/routing/route.ts";
import { state } from "../../shared/state/state.ts";
import { nameOf } from "../../shared/text/names.ts";
import { copyLinkTo } from "../../ui/copy.ts";
import { attempt } from "../rows/row-problems.ts";
import { holdReading } from "../scroll/mark-read.ts";
import { selectedWords } from "./selected-words.ts";

type Flag = "starred" | "collapsed";

export function toggleFlag({ id, flags }: Message, flag: Flag): void {
  const parameters = { messages: [id], op: flags.has(flag) ? "remove" : "add", flag };
  void attempt(id, () => state.connection.call(updateMessageFlags, parameters));
}

export function toggleReaction(
  message: Message,
  chosen: Pick<Reaction, "emojiName" | "emojiCode" | "reactionType">,
) {
  const { emojiName, emojiCode, reactionType } = chosen;
  const isOwn = message.reactions.some(
    (reaction) =>
      reaction.userId === state.model.viewer.id &&
      reaction.emojiCode === emojiCode &&
      reaction.reactionType === reactionType,
  );
  const parameters = {
    ...{ message_id: message.id, emoji_name: emojiName, emoji_code: emojiCode },
    reaction_type: reactionType,
  };
  void attempt(message.id, () => state.connection.call(isOwn ? removeReaction : addReaction, parameters));
}

export function reactWith(message: Message, { names, code, type }: Emoji): void {
  toggleReaction(message, { emojiName: names[0] ?? "", emojiCode: code, reactionType: type });
}

export function copyLink({ id, to }: Message): Promise<void> {
  return copyLinkTo(linkTo(narrowOfMessage(to), id));
}

/** All messages of the view from this one on. Those on the screen stay unread until the view is left. */
export function markUnreadFrom(narrow: Narrow, messageId: number): void {
  holdReading();
  const parameters = {
    ...{ anchor: String(messageId), include_anchor: true, num_before: 0, num_after: MAX_MESSAGES_A_CALL },
    ...{ narrow: narrowParameter(narrow), op: "remove", flag: "read" },
  };
  void attempt(messageId, () => state.connection.call(updateMessageFlagsForNarrow, parameters));
}

/** The text as it was written. */
export async function fetchSource(messageId: number): Promise<string> {
  const parameters = { message_id: messageId, apply_markdown: false, allow_empty_topic_name: true };
  const { raw_content } = await state.connection.call(getMessage, parameters);
  return raw_content;
}

export function replyTo({ to }: Message): void {
  composeTo(replyAddress(to));
  focusCompose();
}

/** A direct message to who sent it. */
export function replyToSender({ senderId }: Message): void {
  composeTo({ kind: "direct", userIds: [senderId] });
  focusCompose();
}

/** An answer in the conversation that mentions who sent the message. */
export function replyMentioning({ to, senderId }: Message): void {
  composeTo(replyAddress(to));
  insertText(`@**${mentionName(senderId)}** `);
}

/** Where an answer to the message goes. */
export function answerAddress({ to }: Message): Address {
  return to.kind === "channel" ? to : { kind: "direct", userIds: othersIn(to.userIds) };
}

/** The conversation of the message, with the message in its place. */
export function showInContext({ id, to }: Message): void {
  go(linkTo(narrowOfMessage(to), id));
}

/** An answer with the text of the message in it, or with the words of it that are marked. */
export async function quote(message: Message, words = markedIn(message)): Promise<void> {
  const text = words ?? (await attempt(message.id, () => fetchSource(message.id)));
  if (text === undefined) return;
  composeTo(replyAddress(message.to));
  insertText(quotation(message, text));
}

function markedIn({ id }: Message): string | undefined {
  const marked = selectedWords();
  const key = state.outbox.localIds.get(id) ?? String(id);
  return marked?.key === key ? marked.text : undefined;
}

/** The text goes to a place that the person chooses. */
export async function forward(message: Message): Promise<void> {
  const text = await attempt(message.id, () => fetchSource(message.id));
  if (text === undefined) return;
  composeTo("choosing");
  insertText(quotation(message, text));
}

function replyAddress(to: Message["to"]): Conversation {
  return to.kind === "channel" ? to : { kind: "direct", userIds: othersIn(to.userIds) };
}

/** The people without the viewer, unless nobody else is there. */
function othersIn(userIds: readonly number[]): readonly number[] {
  const others = userIds.filter((id) => id !== state.model.viewer.id);
  return others.length > 0 ? others : userIds;
}

/** A name that several people have comes with the id. */
function mentionName(userId: number): string {
  const name = nameOf(userId);
  const people = [...state.model.users.byId.values()].filter(({ fullName }) => fullName === name);
  return people.length > 1 ? `${name}|${userId}` : name;
}

/** The fence is longer than any in the text. */
function quotation({ id, senderId, to }: Message, text: string): string {
  const longest = Math.max(
    2,
    ...[...text.matchAll(/^ *(`{3,}|~{3,})/gm)].map(([, fence = ""]) => fence.length),
  );
  const fence = "`".repeat(longest + 1);
  const link = `${location.origin}/${linkTo(narrowOfMessage(to), id)}`;
  return `@_**${nameOf(senderId)}|${senderId}** [${t("quote.said")}](${link}):\n${fence}quote\n${text}\n${fence}\n`;
}
