/**
 * Messages on their way. One shows at once and waits for the event with its local id, which brings the
 * message itself. What was not sent is stored, and outlives the page. No message is sent twice: one whose
 * answer was lost is looked for, and then waits for the person's decision.
 */
import { sendMessage } from "../api/messages/messages.ts";
import { CallError } from "./call-error.ts";
import type { Connection } from "./connection.ts";
import type { TopicMove } from "./moved-topics.ts";
import { type Address, addressKey, type Entry, entryKey, type OutgoingMessage } from "./outbox/message.ts";

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
  /** Finds a message whose answer was lost. `isOther` says of an id that it is another message's. */
  findSent(message: OutgoingMessage, isOther: (id: number) => boolean): Promise<number | undefined>;
  onChange(): void;
}

/** Where entries are kept. Nothing throws: `write` says whether the entry will be there after a reload. */
export interface OutboxStorage {
  list(prefix: string): readonly string[];
  read(key: string): string | undefined;
  write(key: string, value: string): boolean;
  remove(key: string): void;
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
  #storage: OutboxStorage | undefined;
  /** The name of this tab, or nothing where there are no others. */
  #tab = "";
  /** Whose messages these are. */
  #userId: number | undefined;
  /** Those that are being sent or looked for. */
  readonly #busy = new Set<OutgoingMessage>();
  /** Those of another page that may have arrived, until they were looked for. */
  readonly #doubtful = new Set<OutgoingMessage>();
  /** Those that the person wants to be sent again. */
  readonly #wanted = new Set<OutgoingMessage>();
  #count = 0;

  constructor(host: OutboxHost) {
    this.#host = host;
  }

  /** Stores messages from now on, for the tab of that name. Called before the first one is sent. */
  keep(storage: OutboxStorage, tab: string): void {
    this.#storage = storage;
    this.#tab = tab;
  }

  /** Shows and sends what a tab that is gone has left. */
  takeOver(left: readonly OutgoingMessage[]): void {
    if (left.length === 0) return;
    this.messages.push(...left);
    this.messages.sort((a, b) => (a.localId < b.localId ? -1 : 1));
    for (const message of left) {
      this.#store(message);
      if (message.isUncertain) this.#doubtful.add(message);
    }
    this.handleConnection();
    this.#host.onChange();
  }

  /** `files`: the places in the text that are filled by `fillFile`. */
  send(to: Address, content: string, files: readonly string[] = []): OutgoingMessage {
    const now = Date.now();
    const count = String(++this.#count).padStart(4, "0");
    const message: OutgoingMessage = {
      ...{ localId: `${now}.${count}.${this.#tab}`, to, content, files },
      ...{ sentAt: Math.floor(now / 1000), state: "sending", problem: undefined, id: undefined },
      ...{ isHeld: false, isUncertain: false, afterId: 0, isStored: false },
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
    message.isHeld = false;
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

  /**
   * The message of a file that can't be had keeps its text, and waits for the person. Without a text there is
   * no message any more.
   */
  failFile(place: string, problem: string): boolean {
    return this.#endFile(place, "", problem);
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
    const userId = this.#host.viewerId();
    // Those of another account stay stored, unseen and unsent.
    if (this.#userId !== undefined && this.#userId !== userId) this.messages.length = 0;
    this.#userId = userId;
    const sent = this.messages.filter(({ id }) => id !== undefined);
    for (const { localId, id } of sent) this.handleArrival(localId, id as number);
    if (sent.length > 0) this.#host.onChange();
    this.handleConnection();
  }

  /** The server can be reached again. */
  handleConnection(): void {
    if (!this.#host.canSend()) return;
    this.#lookForLost();
    this.#sendNext();
  }

  /**
   * A topic was moved. What waits goes along, so that it does not begin the old topic again. Where it would
   * reach others than those for whom it was written, it waits for the person to look at it.
   */
  handleMove({ from, to }: TopicMove, reachesOthers: boolean): void {
    const moved = addressKey({ kind: "channel", ...from });
    for (const message of this.messages) {
      if (addressKey(message.to) !== moved || message.id !== undefined) continue;
      message.to = { kind: "channel", ...to };
      if (reachesOthers) this.#hold(message);
      this.#store(message);
    }
  }

  /** Without those that may be on the screen already, as long as that is being found out. */
  get shown(): readonly OutgoingMessage[] {
    return this.messages.filter((message) => !(this.#doubtful.has(message) && this.#busy.has(message)));
  }

  /** What a message waits for that is not on its way yet. */
  reasonToWait(message: OutgoingMessage): "files" | "connection" | undefined {
    if (message.state === "failed" || message.id !== undefined) return undefined;
    if (message.files.length > 0) return "files";
    return this.#host.canSend() || this.#busy.has(message) ? undefined : "connection";
  }

  /** Those that the server does not have, as far as is known, and that are not on their way to it. */
  get unsent(): readonly OutgoingMessage[] {
    return this.shown.filter(
      (message) => message.state === "failed" || this.reasonToWait(message) !== undefined,
    );
  }

  /** Whether nothing is on its way. */
  get isEmpty(): boolean {
    return this.messages.every(
      (message) => message.state === "failed" || this.reasonToWait(message) !== undefined,
    );
  }

  /** Whether all that was not sent is there again after the page was loaded again. */
  get isSafe(): boolean {
    return this.messages.every(({ id, isStored, files }) => id !== undefined || (isStored && !files.length));
  }

  #endFile(place: string, by: string, problem?: string): boolean {
    const message = this.messages.find(({ files }) => files.includes(place));
    if (!message) return false;
    replacePlace(message, place, by);
    message.files = message.files.filter((file) => file !== place);
    const hasText = message.content !== "";
    if (!hasText) this.#drop(message);
    else if (problem !== undefined) Object.assign(message, { state: "failed", problem });
    this.#store(message);
    this.#sendNext();
    this.#host.onChange();
    return hasText;
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
      this.#doubtful.delete(message);
      this.#sendNext();
      this.#host.onChange();
    }
  }

  async #attempt(message: OutgoingMessage): Promise<void> {
    try {
      if (message.isUncertain) {
        const isWanted = this.#wanted.has(message);
        if ((await this.#find(message)) || !this.messages.includes(message)) return;
        if (!isWanted || message.isHeld) return this.#fail(message, message.problem ?? "");
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
      const { id } = await host.connection.call(sendMessage, requestOf(message, queue));
      void this.#handleAnswer(message, id, queue);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      message.isUncertain = error.isOutcomeUnknown;
      const isUntouched = error.failure.kind === "network" && !error.isOutcomeUnknown;
      // Nothing has left this device, so the message waits and goes out by itself.
      if (isUntouched && !host.canSend() && !message.isHeld) this.#store(message);
      else this.#fail(message, error.message);
    }
  }

  async #handleAnswer(message: OutgoingMessage, id: number, queue: string | undefined): Promise<void> {
    const host = this.#host;
    message.id = id;
    this.#erase(message);
    if (!this.messages.includes(message)) return;
    if (host.isKnown(id)) this.handleArrival(message.localId, id);
    else if (host.queueId() !== queue || !host.isHeard(message.to)) await this.#fetch(message);
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
    const isOther = (id: number) => this.localIds.has(id) || this.messages.some((one) => one.id === id);
    const id = await this.#host.findSent(message, isOther);
    if (id === undefined || !this.messages.includes(message)) return false;
    message.state = "sending";
    await this.#handleAnswer(message, id, undefined);
    return true;
  }

  #fail(message: OutgoingMessage, problem: string): void {
    if (!this.messages.includes(message)) return;
    message.state = "failed";
    message.problem = problem;
    this.#store(message);
  }

  /** What is under way has its old address, and fails only if that fails. */
  #hold(message: OutgoingMessage): void {
    message.isHeld = true;
    if (!this.#busy.has(message)) message.state = "failed";
  }

  #store(message: OutgoingMessage): void {
    const { id, isStored, ...fields } = message;
    if (id !== undefined || !this.messages.includes(message)) return;
    const entry: Entry = { ...fields, tab: this.#tab };
    message.isStored = this.#storage?.write(this.#keyOf(message), JSON.stringify(entry)) ?? false;
  }

  #erase(message: OutgoingMessage): void {
    this.#storage?.remove(this.#keyOf(message));
  }

  #keyOf({ localId }: OutgoingMessage): string {
    return entryKey(this.#host.viewerId(), localId);
  }

  #drop(message: OutgoingMessage): void {
    const at = this.messages.indexOf(message);
    if (at >= 0) this.messages.splice(at, 1);
    this.#wanted.delete(message);
    this.#erase(message);
  }
}

function requestOf({ to, content, localId }: OutgoingMessage, queue: string | undefined) {
  const address =
    to.kind === "channel"
      ? ({ type: "channel", to: to.channelId, topic: to.topic } as const)
      : { type: "direct" as const, to: [...to.userIds] };
  const echo = queue === undefined ? {} : { queue_id: queue, local_id: localId };
  return { ...address, content, ...echo, read_by_sender: true };
}

function replacePlace(message: OutgoingMessage, place: string, by: string): void {
  message.content = message.content.replace(place, () => by).trim();
}

function ignoreCallError(error: unknown): void {
  if (!(error instanceof CallError)) throw error;
}
