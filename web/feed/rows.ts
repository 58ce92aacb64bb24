/**
 * The rows of a feed: messages, and after them those on their way. A row keeps its identity when its message
 * arrives, so the screen keeps the same elements.
 */
import type { MessageWindow } from "../../client/message-windows/message-window.ts";
import type { Message, Reaction } from "../../client/model/messages.ts";
import { keyOfNarrow } from "../../client/narrow.ts";
import type { OutgoingMessage } from "../../client/outbox.ts";
import { narrowOfMessage } from "../app/links.ts";
import { renderLocally } from "../app/local-render.ts";
import { state } from "../app/state.ts";

export interface Row {
  readonly key: string;
  /** undefined while the message is on its way. */
  id: number | undefined;
  outgoing: OutgoingMessage | undefined;
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
  message: Message | undefined;
  /** Of a message that was not sent. */
  problem: string | undefined;
}

export class Rows {
  readonly #byKey = new Map<string, Row>();

  of(window: MessageWindow): Row[] {
    const { outbox, model } = state;
    const rows = window.ids
      .filter((id) => model.messages.byId.has(id))
      .map((id) => this.#row(outbox.localIds.get(id) ?? String(id), id, undefined));
    if (!window.foundNewest) return rows;
    const waiting = outbox.messages.filter((one) => isIn(one, window));
    return [...rows, ...waiting.map((one) => this.#row(one.localId, undefined, one))];
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
    const { senderId, sentAt, to, content } = message;
    // An action of the sender is a sentence that begins with the name.
    const html = message.isMeMessage ? content.replace(/^<p>\/me /, "<p>") : content;
    return { senderId, sentAt, to, html, reactions: message.reactions, message, problem: undefined };
  }
  if (!outgoing) return undefined;
  return {
    senderId: state.model.viewer.id,
    sentAt: outgoing.sentAt,
    to: addresseesOf(outgoing),
    html: renderLocally(outgoing.content),
    reactions: [],
    message: undefined,
    problem: outgoing.state === "failed" ? (outgoing.problem ?? "") : undefined,
  };
}

/** With the viewer, as messages list them. */
function addresseesOf({ to }: OutgoingMessage): Message["to"] {
  if (to.kind === "channel") return to;
  return {
    kind: "direct",
    userIds: [...new Set([...to.userIds, state.model.viewer.id])].sort((a, b) => a - b),
  };
}

function isIn(outgoing: OutgoingMessage, { narrow }: MessageWindow): boolean {
  const own = narrowOfMessage(addresseesOf(outgoing));
  const isWhole = keyOfNarrow(narrow) === keyOfNarrow(own);
  const isChannel = narrow.length === 1 && keyOfNarrow(narrow) === keyOfNarrow(own.slice(0, 1));
  return narrow.length === 0 || isWhole || isChannel;
}
