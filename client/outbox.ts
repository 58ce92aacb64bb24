/**
 * Messages on their way. One shows at once and waits for the event with its local id, which brings the
 * message itself. What was not sent is stored, and outlives the page. No message is sent twice: one whose
 * answer was lost is looked for, and then waits for the person's decision.
 */
import { sendMessage } from "../api/messages.ts";
import { CallError } from "./call-error.ts";
import type { Connection } from "./connection.ts";
import { type OutboxStorage, type OutboxTab, StoredEntries } from "./outbox/entries.ts";
import { findSent } from "./outbox/find-sent.ts";
import { type Address, addressKey, type OutgoingMessage } from "./outbox/message.ts";

export type { OutboxStorage, OutboxTab } from "./outbox/entries.ts";
export type { Address, OutgoingMessage } from "./outbox/message.ts";

/** What the outbox asks of the state around it. */
export interface OutboxHost {
  readonly connection: Connection;
  queueId(): string | undefined;
  viewerId(): number;
  /** Whether the server can be reached and knows the viewer. Until then messages wait. */
  canSend(): boolean;
  /** The highest known id of a message. */
  newestId(): number;
  isKnown(messageId: number): boolean;
  /** Whether events tell of messages there. */
  isHeard(to: Address): boolean;
  /** Brings a message whose event did not come. It calls `handleArrival`. */
  fetchMessage(messageId: number): Promise<void>;
  onChange(): void;
}

/** Where the outbox is kept, and what it says of messages that outlived their page. */
export interface OutboxKeeping {
  storage: OutboxStorage;
  tab: OutboxTab;
  /** Why a message is there that was not sent. */
  describe(problem: "interrupted" | "filesLost"): string;
  /** Stands in the text for a file that has to be added again. */
  describeFile(place: string): string;
}

interface FailedFile {
  /** Takes the place of the file in the text. */
  by: string;
  problem: string;
}

/** An event that takes longer is not waited for. */
const ARRIVAL_MS = 4000;

export class Outbox {
  readonly messages: OutgoingMessage[] = [];
  /** Messages of this program, by the server's id. Rows on the screen keep their identity by it. */
  readonly localIds = new Map<number, string>();
  /** The one that was sent last in this program, whatever has become of it. */
  lastSent: OutgoingMessage | undefined;
  readonly #host: OutboxHost;
  #keeping: OutboxKeeping | undefined;
  #entries: StoredEntries | undefined;
  /** Those that are being sent or looked for. */
  readonly #busy = new Set<OutgoingMessage>();
  /** Those that the person wants to be sent again. */
  readonly #wanted = new Set<OutgoingMessage>();
  #count = 0;

  constructor(host: OutboxHost) {
    this.#host = host;
  }

  /** Stores messages from now on. Called before the first one is sent. */
  keep(keeping: OutboxKeeping): void {
    this.#keeping = keeping;
  }

  /** Called whenever the viewer is known. Messages of another account stay stored, unseen and unsent. */
  open(): void {
    const userId = this.#host.viewerId();
    if (this.#keeping && this.#entries?.userId !== userId) {
      if (this.#entries) this.messages.length = 0;
      this.#entries = new StoredEntries(this.#keeping.storage, this.#keeping.tab, userId);
    }
    this.watchOthers();
  }

  /** Takes over what tabs have left that are gone. Called again when others store something. */
  watchOthers(): void {
    const { userId } = this.#entries ?? {};
    this.#entries?.watchOthers((left) => {
      if (this.#entries?.userId === userId) this.#takeOver(left);
    });
  }

  /** `files`: the places in the text that are filled by `fillFile`. */
  send(to: Address, content: string, files: readonly string[] = []): OutgoingMessage {
    const now = Date.now();
    const count = String(++this.#count).padStart(4, "0");
    const message: OutgoingMessage = {
      ...{ localId: `${now}.${count}.${this.#keeping?.tab.name ?? ""}`, to, content, files },
      ...{ sentAt: Math.floor(now / 1000), state: "sending", problem: undefined, id: undefined },
      ...{ isUncertain: false, afterId: 0, isStored: false },
    };
    this.messages.push(message);
    this.lastSent = message;
    this.#store(message);
    this.#sendNext();
    this.#host.onChange();
    return message;
  }

  retry(message: OutgoingMessage): void {
    message.state = "sending";
    message.problem = undefined;
    this.#wanted.add(message);
    this.#store(message);
    this.#sendNext();
    this.#host.onChange();
  }

  /** Takes back a message that failed or waits, say to edit it. */
  remove(message: OutgoingMessage): void {
    this.#drop(message);
    this.#host.onChange();
  }

  /** A file is there: its link takes its place. Whether a message has waited for it. */
  fillFile(place: string, link: string): boolean {
    return this.#endFile(place, link);
  }

  /** The message of a file that can't be had keeps its text, and waits for the person. */
  failFile(place: string, { by, problem }: FailedFile): boolean {
    return this.#endFile(place, by, problem);
  }

  /** The message's event came. Returns whether it was on its way; `onChange` is not called. */
  handleArrival(localId: string | undefined, id: number): boolean {
    const message = this.messages.find((one) => one.localId === localId || one.id === id);
    if (!message) return false;
    this.localIds.set(id, message.localId);
    message.id = id;
    this.#drop(message);
    return true;
  }

  /** Another message of the viewer came. It may be one whose answer was lost. */
  handleOwnMessage(): void {
    this.#lookForLost();
  }

  /** After a new snapshot, what the server has comes with its pages. */
  handleSnapshot(): void {
    const sent = this.messages.filter(({ id }) => id !== undefined);
    for (const { localId, id } of sent) this.handleArrival(localId, id as number);
    if (sent.length > 0) this.#host.onChange();
    this.open();
    this.handleConnection();
  }

  /** The server can be reached again. */
  handleConnection(): void {
    if (!this.#host.canSend()) return;
    this.#lookForLost();
    this.#sendNext();
  }

  /** A topic was moved. What waits goes along, so that it does not found the old topic anew. */
  handleMove(from: { channelId: number; topic: string }, to: { channelId: number; topic: string }): void {
    const moved = addressKey({ kind: "channel", ...from });
    for (const message of this.messages) {
      if (addressKey(message.to) !== moved || message.id !== undefined) continue;
      message.to = { kind: "channel", ...to };
      this.#store(message);
    }
  }

  /** What a message waits for that is not on its way yet. */
  reasonToWait(message: OutgoingMessage): "files" | "connection" | undefined {
    if (message.state === "failed" || message.id !== undefined) return undefined;
    if (message.files.length > 0) return "files";
    return this.#host.canSend() || this.#busy.has(message) ? undefined : "connection";
  }

  /** Those that the server does not have, as far as is known, and that are not on their way to it. */
  get unsent(): readonly OutgoingMessage[] {
    return this.messages.filter((one) => one.state === "failed" || this.reasonToWait(one) !== undefined);
  }

  /** Whether nothing is on its way. */
  get isEmpty(): boolean {
    return this.unsent.length === this.messages.length;
  }

  /** Whether all that was not sent is there again after the page was loaded again. */
  get isSafe(): boolean {
    return this.messages.every(({ id, isStored, files }) => id !== undefined || (isStored && !files.length));
  }

  #takeOver(left: readonly OutgoingMessage[]): void {
    for (const message of left) {
      this.messages.push(message);
      if (message.files.length > 0) this.#giveUpFiles(message);
      this.#store(message);
    }
    this.messages.sort((a, b) => (a.localId < b.localId ? -1 : 1));
    this.handleConnection();
    if (left.length > 0) this.#host.onChange();
  }

  #giveUpFiles(message: OutgoingMessage): void {
    const keeping = this.#keeping as OutboxKeeping;
    for (const place of message.files) replacePlace(message, place, keeping.describeFile(place));
    message.files = [];
    message.state = "failed";
    message.problem = keeping.describe("filesLost");
  }

  #endFile(place: string, by: string, problem?: string): boolean {
    const message = this.messages.find(({ files }) => files.includes(place));
    if (!message) return false;
    replacePlace(message, place, by);
    message.files = message.files.filter((one) => one !== place);
    if (problem !== undefined) Object.assign(message, { state: "failed", problem });
    this.#store(message);
    this.#sendNext();
    this.#host.onChange();
    return true;
  }

  /** Messages of a conversation go out one after another: at once, they could arrive in another order. */
  #sendNext(): void {
    if (!this.#host.canSend()) return;
    const taken = new Set([...this.#busy].map(({ to }) => addressKey(to)));
    for (const message of [...this.messages]) {
      const key = addressKey(message.to);
      const isDue = message.state === "sending" && message.id === undefined && message.files.length === 0;
      if (!isDue || taken.has(key)) continue;
      taken.add(key);
      void this.#work(message, () => this.#attempt(message));
    }
  }

  /** Failed messages whose answer was lost, without a word: they only disappear if they are found. */
  #lookForLost(): void {
    for (const message of this.messages) {
      const isLost = message.state === "failed" && message.isUncertain && !this.#busy.has(message);
      if (isLost) void this.#work(message, () => this.#find(message).then(() => undefined, ignoreCallError));
    }
  }

  async #work(message: OutgoingMessage, run: () => Promise<void>): Promise<void> {
    this.#busy.add(message);
    try {
      await run();
    } finally {
      this.#busy.delete(message);
      this.#sendNext();
      this.#host.onChange();
    }
  }

  async #attempt(message: OutgoingMessage): Promise<void> {
    try {
      if (message.isUncertain) {
        const isWanted = this.#wanted.has(message);
        if ((await this.#find(message)) || !this.messages.includes(message)) return;
        if (!isWanted) return this.#fail(message, this.#keeping?.describe("interrupted") ?? "");
      }
      await this.#post(message);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      this.#fail(message, error.message);
    }
  }

  async #post(message: OutgoingMessage): Promise<void> {
    const host = this.#host;
    const queue = host.queueId();
    this.#wanted.delete(message);
    message.afterId = message.isUncertain ? message.afterId : host.newestId();
    message.isUncertain = true;
    this.#store(message);
    try {
      const { id } = await host.connection.call(sendMessage, requestOf(message, queue) as never);
      this.#handleAnswer(message, id, queue);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      message.isUncertain = error.isOutcomeUnknown;
      const isUntouched = error.failure.kind === "network" && !error.isOutcomeUnknown;
      // It goes out by itself: nothing has left this device.
      if (isUntouched && !host.canSend()) this.#store(message);
      else this.#fail(message, error.message);
    }
  }

  #handleAnswer(message: OutgoingMessage, id: number, queue: string | undefined): void {
    const host = this.#host;
    message.id = id;
    this.#entries?.remove(message);
    if (!this.messages.includes(message)) return;
    if (host.isKnown(id)) this.handleArrival(message.localId, id);
    else if (host.queueId() !== queue || !host.isHeard(message.to)) void this.#fetch(message);
    else setTimeout(() => void this.#fetch(message), ARRIVAL_MS);
  }

  /** The event of a message that the server has did not come, or will not come. */
  async #fetch(message: OutgoingMessage): Promise<void> {
    const id = message.id as number;
    if (!this.messages.includes(message)) return;
    try {
      await this.#host.fetchMessage(id);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.isPassing) return void setTimeout(() => void this.#fetch(message), ARRIVAL_MS);
    }
    // It may have been deleted meanwhile.
    if (this.handleArrival(message.localId, id)) this.#host.onChange();
  }

  /** Whether the server turned out to have it. */
  async #find(message: OutgoingMessage): Promise<boolean> {
    const { connection } = this.#host;
    const isOther = (id: number) => this.localIds.has(id) || this.messages.some((one) => one.id === id);
    const id = await findSent(connection, this.#host.viewerId(), message, isOther);
    if (id === undefined || !this.messages.includes(message)) return false;
    message.state = "sending";
    this.#handleAnswer(message, id, undefined);
    return true;
  }

  #fail(message: OutgoingMessage, problem: string): void {
    if (!this.messages.includes(message)) return;
    message.state = "failed";
    message.problem = problem;
    this.#store(message);
  }

  #store(message: OutgoingMessage): void {
    if (message.id === undefined && this.messages.includes(message))
      message.isStored = this.#entries?.put(message) ?? false;
  }

  #drop(message: OutgoingMessage): void {
    const at = this.messages.indexOf(message);
    if (at >= 0) this.messages.splice(at, 1);
    this.#wanted.delete(message);
    this.#entries?.remove(message);
  }
}

function requestOf({ to, content, localId }: OutgoingMessage, queue: string | undefined) {
  const address =
    to.kind === "channel"
      ? { type: "channel", to: to.channelId, topic: to.topic }
      : { type: "direct", to: [...to.userIds] };
  const echo = queue === undefined ? {} : { queue_id: queue, local_id: localId };
  return { ...address, content, ...echo, read_by_sender: true };
}

function replacePlace(message: OutgoingMessage, place: string, by: string): void {
  message.content = message.content.replace(place, () => by).trim();
}

function ignoreCallError(error: unknown): void {
  if (!(error instanceof CallError)) throw error;
}
