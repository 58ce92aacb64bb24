/**
 * The rows of a feed: messages, and after them those on their way. A row keeps its identity when its message
 * arrives, so the screen keeps the same elements.
 */
import type { MessageWindow } from "../../../client/message-windows/message-window.ts";
import type { Message, Reaction, Submessage } from "../../../client/model/messages.ts";
import { conversationOf } from "../../../client/narrow.ts";
import type { OutgoingMessage } from "../../../client/outbox/message.ts";
import { failureOf } from "../../shared/outbox/failure.ts";
import { addresseesOf, isShownIn } from "../../shared/outbox/shown-in.ts";
import { state } from "../../shared/state/state.ts";
import { renderLocally } from "../../shared/text/local-render.ts";
import { readPlaces } from "../../shared/uploads/places.ts";
import { foldMuted, isOfMutedAlone } from "./muted-runs.ts";

export interface Row {
  readonly key: string;
  /** undefined while the message is on its way. */
  id: number | undefined;
  outgoing: OutgoingMessage | undefined;
  /** The hidden messages of muted people that it stands for. */
  readonly muted?: readonly number[];
}

/** What a row shows, of a message or of one on its way. */
export interface RowContent {
  senderId: number;
  /** UNIX seconds. */
  sentAt: number;
  to: Message["to"];
  html: string;
  /** A new list whenever they change. */
  reactions: readonly Reaction[];
  /** Those of an interactive message. A new list whenever one is added. */
  submessages: readonly Submessage[];
  message: Message | undefined;
  /** The topic with the words of a search marked. */
  topicHtml?: string | undefined;
  /** Why a message was not sent. */
  problem: string | undefined;
  /** A message that is not on its way yet, and waits for something. */
  isWaiting: boolean;
}

export class Rows {
  readonly #byKey = new Map<string, Row>();

  of(window: MessageWindow): Row[] {
    const { outbox, model } = state;
    const isConversation = conversationOf(window.narrow) !== undefined;
    const rows = window.ids
      .filter((id) => model.messages.byId.has(id) && (isConversation || !isOfMutedAlone(id)))
      .map((id) => this.#row(outbox.localIds.get(id) ?? String(id), id, undefined));
    const shown = foldMuted(rows, (ids) => this.#run(ids));
    if (!window.foundNewest) return shown;
    const waiting = outbox.shown.filter((message) => isShownIn(message, window.narrow));
    return [...shown, ...waiting.map((message) => this.#row(message.localId, undefined, message))];
  }

  #run(muted: readonly number[]): Row {
    const key = `muted ${muted[0]} ${muted.length} ${muted.at(-1)}`;
    const row: Row = this.#byKey.get(key) ?? { key, id: muted[0], outgoing: undefined, muted };
    this.#byKey.set(key, row);
    return row;
  }

  #row(key: string, id: number | undefined, outgoing: OutgoingMessage | undefined): Row {
    const row = this.#byKey.get(key) ?? { key, id, outgoing };
    this.#byKey.set(key, row);
    row.id = id;
    row.outgoing = outgoing;
    return row;
  }
}

export function contentOf({ id, outgoing }: Row): RowContent | undefined {
  const message = id === undefined ? undefined : state.model.messages.byId.get(id);
  if (message) {
    const { senderId, sentAt, to } = message;
    const { content, topicHtml } = markedTexts(message);
    // An action of the sender is a sentence that begins with the name.
    const html = message.isMeMessage ? content.replace(/^<p>\/me /, "<p>") : content;
    const { reactions, submessages } = message;
    const rest = { reactions, submessages, message, problem: undefined, isWaiting: false };
    return { senderId, sentAt, to, html, topicHtml, ...rest };
  }
  if (!outgoing) return undefined;
  return {
    senderId: state.model.viewer.id,
    sentAt: outgoing.sentAt,
    to: addresseesOf(outgoing),
    html: renderLocally(readPlaces(outgoing.content)),
    reactions: [],
    submessages: [],
    message: undefined,
    problem: outgoing.state === "failed" ? failureOf(outgoing) : undefined,
    isWaiting: state.outbox.reasonToWait(outgoing) !== undefined,
  };
}

/** With the words of a search marked, unless the text has changed since they were found. */
function markedTexts({ id, content, to }: Message): { content: string; topicHtml: string | undefined } {
  const match = state.windowInUse?.matches.get(id);
  const isSameTopic = to.kind === "channel" && match?.topic === to.topic && to.topic !== "";
  return {
    content: match?.content === content ? match.markedContent : content,
    topicHtml: isSameTopic ? match.markedTopic : undefined,
  };
}
