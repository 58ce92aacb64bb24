/**
 * Messages on their way. One shows at once and waits for the event with its local id, which brings the
 * message itself. A failed one keeps its text until it is sent again or taken back. No message is sent twice:
 * one whose answer was lost waits for the person's decision.
 */
import { sendMessage } from "../api/messages.ts";
import { CallError } from "./call-error.ts";
import type { Connection } from "./connection.ts";

export type Address =
  | { kind: "channel"; channelId: number; topic: string }
  | { kind: "direct"; userIds: readonly number[] };

export interface OutgoingMessage {
  readonly localId: string;
  readonly to: Address;
  readonly content: string;
  /** UNIX seconds. */
  readonly sentAt: number;
  state: "sending" | "failed";
  /** What went wrong, for people. */
  problem: string | undefined;
  /** Known once the server has it; its event may still be on the way. */
  id: number | undefined;
}

export class Outbox {
  readonly messages: OutgoingMessage[] = [];
  /** Messages of this program, by the server's id. Rows on the screen keep their identity by it. */
  readonly localIds = new Map<number, string>();
  readonly #connection: Connection;
  readonly #queueId: () => string | undefined;
  readonly #onChange: () => void;
  /** The last attempt of each conversation. */
  readonly #underWay = new Map<string, Promise<void>>();
  #count = 0;

  constructor(connection: Connection, queueId: () => string | undefined, onChange: () => void) {
    this.#connection = connection;
    this.#queueId = queueId;
    this.#onChange = onChange;
  }

  send(to: Address, content: string, now = Date.now()): OutgoingMessage {
    const localId = `${now}.${++this.#count}`;
    const message: OutgoingMessage = {
      ...{ localId, to, content },
      ...{ sentAt: Math.floor(now / 1000), state: "sending", problem: undefined, id: undefined },
    };
    this.messages.push(message);
    this.#enqueue(message);
    this.#onChange();
    return message;
  }

  retry(message: OutgoingMessage): void {
    message.state = "sending";
    message.problem = undefined;
    this.#enqueue(message);
    this.#onChange();
  }

  /** Takes a failed message back, say to edit it. */
  remove(message: OutgoingMessage): void {
    this.#drop(message);
    this.#onChange();
  }

  /** The message's event came. Returns whether it was on its way; `onChange` is not called. */
  handleArrival(localId: string | undefined, id: number): boolean {
    const message = this.messages.find((one) => one.localId === localId);
    if (!message) return false;
    this.localIds.set(id, message.localId);
    this.#drop(message);
    return true;
  }

  /** After a new snapshot, what the server has comes with its pages. */
  dropSent(): void {
    const sent = this.messages.filter(({ id }) => id !== undefined);
    for (const { localId, id } of sent) this.handleArrival(localId, id as number);
    if (sent.length > 0) this.#onChange();
  }

  get isEmpty(): boolean {
    return this.messages.every(({ state }) => state === "failed");
  }

  /** Messages of a conversation go out one after another: at once, they could arrive in another order. */
  #enqueue(message: OutgoingMessage): void {
    const key = JSON.stringify(message.to);
    const attempt = () => this.#attempt(message);
    const turn = this.#underWay.get(key)?.then(attempt, attempt) ?? attempt();
    this.#underWay.set(key, turn);
    void turn.finally(() => {
      if (this.#underWay.get(key) === turn) this.#underWay.delete(key);
    });
  }

  async #attempt(message: OutgoingMessage): Promise<void> {
    const { to, content, localId } = message;
    const address =
      to.kind === "channel"
        ? { type: "channel" as const, to: to.channelId, topic: to.topic }
        : { type: "direct" as const, to: [...to.userIds] };
    const queue = this.#queueId();
    const echo = queue === undefined ? {} : { queue_id: queue, local_id: localId };
    try {
      const { id } = await this.#connection.call(sendMessage, {
        ...{ ...address, content, ...echo },
        read_by_sender: true,
      } as never);
      message.id = id;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      message.state = "failed";
      message.problem = error.message;
    }
    this.#onChange();
  }

  #drop(message: OutgoingMessage): void {
    const at = this.messages.indexOf(message);
    if (at >= 0) this.messages.splice(at, 1);
  }
}
