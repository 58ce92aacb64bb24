/**
 * Sends share commits. While one is under way, the next batch gathers. It leaves as soon as the first commit
 * returns, alone or beside a group of small changes: the writer of the log gives it its turns
 * (`log-writer.ts`). So batches grow under load, and a single send does not wait for others.
 *
 * A batch is refused when the organization's memory changed since its messages were checked. They are then
 * checked again. Messages that were refused twice take the shared lock of state changes, so that changes of
 * the organization can't hold them up for ever.
 */
import type { MessageId, Position } from "../../../api/ids.ts";
import type { UploadsOfText } from "../../content/uploads/links.ts";
import type { Contact } from "../../people/access/guest-contacts.ts";
import type { Database } from "../../platform/db/database.ts";
import { ServerBusy } from "../../platform/db/server-busy.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { type Change, runLocked } from "../../platform/log/change.ts";
import type { LogEntry } from "../../platform/log/log-entry.ts";
import { type LogWriter, logWriterOf } from "../../platform/log/log-writer.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { RowBatch, RowSource } from "../../platform/log/row-batch.ts";
import type { LogRange } from "../../platform/log/store.ts";
import { Histogram } from "../../platform/std/histogram.ts";
import { messageEntry } from "../delivery/message-log.ts";
import { insertMessages, insertMessagesAfter } from "../model/store.ts";
import type { AutomaticPolicyChange } from "./automatic-policies.ts";
import {
  type Adding,
  type AddingRange,
  hasAdditions,
  insertMessagesAdding,
  submessagesOf,
  writeAdditions,
} from "./batch-additions-store.ts";

/** A larger statement gains nothing and holds the log's lock longer. */
const MAX_BATCH = 256;
/**
 * How many characters of texts and their HTML one batch has. To write more at once would hold up all other
 * requests of the process.
 */
const MAX_BATCH_CHARS = 256 * 1024;
/**
 * Messages that may wait in memory for one organization, and how long. A busy second has more than a
 * thousand. A client that waited longer has given up, and its person sends the message again.
 */
export const MAX_WAITING = 5000;
const MAX_WAIT_MS = 10_000;
/** How often a message may be refused before it takes the lock. */
const MAX_REFUSALS = 2;

/** The message must be sent in another way, since by now it writes more than it did when it was checked. */
export class NotForBatch extends Error {}

export interface Send extends Adding {
  /** The position of the memory state that the send was checked against. */
  stateHead: Position;
  /** Changes of topic policies that the message causes; `groupedSend` writes them. */
  changes: readonly AutomaticPolicyChange[] | null;
  /** The people whom the message makes known to guests; `sendAlone` writes them. */
  contacts: readonly Contact[] | null;
  /** The uploads that the message links; `groupedSend` writes that it does. */
  uploads: UploadsOfText | null;
}

/**
 * Whether a message depends on rows that others may hold. A batch must not wait for them while it holds the
 * log's row.
 */
export function needsRows(send: Send): boolean {
  return send.changes !== null || send.contacts !== null || send.uploads !== null;
}

/** What a message in the batcher belongs to. Exactly one of `sent` and `failed` is called, once. */
export interface Sender {
  /** Checks the message again, against the memory of that time. */
  check(): Send | Promise<Send>;
  /** Called after the commit. */
  sent(id: MessageId): void;
  /**
   * Nothing was written. `error` is what `check` threw, or what kept the message from being written.
   * NotForBatch: `needsRows` has become true.
   */
  failed(error: unknown): void;
}

const batchSizes = new WeakMap<Database, Histogram>();

/** How many messages each commit of this node had. A message that is sent alone is a batch of one. */
export function batchSizesOf(database: Database): Histogram {
  let sizes = batchSizes.get(database);
  if (!sizes) {
    sizes = new Histogram([1, 2, 4, 8, 16, 32, 64, 128, MAX_BATCH]);
    batchSizes.set(database, sizes);
  }
  return sizes;
}

interface Waiting {
  send: Send;
  sender: Sender;
  askedAt: number;
  refusals: number;
}

/** Messages that are written by one statement. */
class Batch implements RowBatch {
  readonly statement: Sql;
  readonly messages: readonly Waiting[];
  readonly #batcher: BatchEnds;
  readonly #sends: readonly Send[];
  readonly #sentAt = new Date();
  readonly #isAdding: boolean;

  constructor(state: OrganizationState, batcher: BatchEnds, messages: readonly Waiting[]) {
    this.#batcher = batcher;
    this.messages = messages;
    this.#sends = messages.map((waiting) => waiting.send);
    const options = { expectedStateHead: (this.#sends[0] as Send).stateHead, sentAt: this.#sentAt };
    this.#isAdding = this.#sends.some(hasAdditions);
    this.statement = this.#isAdding
      ? insertMessagesAdding(state, this.#sends, options)
      : insertMessages(state.organizationId, this.#sends, options);
  }

  entriesFrom(range: LogRange): LogEntry[] {
    const { base } = range;
    const seconds = Math.floor(this.#sentAt.getTime() / 1000);
    const submessages = this.#isAdding ? submessagesOf(this.#sends, range as AddingRange) : undefined;
    return this.#sends.map((send, index) =>
      messageEntry((base + index + 1) as MessageId, send, seconds, submessages?.[index]),
    );
  }

  sent({ base }: LogRange): void {
    this.#batcher.count(this.messages.length);
    this.messages.forEach((waiting, index) => {
      waiting.sender.sent((base + index + 1) as MessageId);
    });
  }

  refused(): void {
    this.#batcher.refused(this.messages);
  }

  againAlone(): void {
    this.#batcher.againAlone(this.messages);
  }

  /** Others of the batch are written although what one message adds is refused. */
  failed(error: unknown): void {
    if (this.#isAdding && this.messages.length > 1 && isFaultOfRows(error))
      this.#batcher.halve(this.messages);
    else for (const { sender } of this.messages) sender.failed(error);
  }
}

/** What the batcher does when a batch has not come to its end, or has. */
interface BatchEnds {
  count(messages: number): void;
  refused(batch: readonly Waiting[]): void;
  againAlone(batch: readonly Waiting[]): void;
  halve(batch: readonly Waiting[]): void;
}

export class SendBatcher implements RowSource {
  readonly #state: OrganizationState;
  readonly #writer: LogWriter;
  readonly #sizes: Histogram;
  readonly #ends: BatchEnds;
  #waiting: Waiting[] = [];
  /** Halves of batches that failed. They are written before what waits, each alone. */
  readonly #halves: Waiting[][] = [];
  /** While refused messages are written under the lock, others wait. */
  #isSettling = false;
  /** A group of changes failed beside the next messages, so they are written alone. */
  #isNextAlone = false;
  /** For benchmarks and tests: how many messages and batches were sent. */
  readonly counts = { messages: 0, batches: 0 };

  constructor(state: OrganizationState) {
    this.#state = state;
    this.#sizes = batchSizesOf(state.database);
    this.#ends = {
      count: (messages) => this.#count(messages),
      refused: (batch) => void this.#settle(batch),
      againAlone: (batch) => this.#putBack(batch),
      halve: (batch) => this.#halve(batch),
    };
    this.#writer = logWriterOf(state);
    this.#writer.serve(this);
  }

  /**
   * Writes the message with the next batch that has room for it, and tells its sender. A message that would
   * be written too late fails with ServerBusy. Throws ServerBusy when too many messages wait.
   */
  add(send: Send, sender: Sender): void {
    if (this.#waiting.length >= MAX_WAITING) {
      throw new ServerBusy("too many messages of the organization are waiting");
    }
    this.#waiting.push({ send, sender, askedAt: performance.now(), refusals: 0 });
    this.#writer.schedule();
  }

  get hasRows(): boolean {
    return this.#waiting.length > 0 || this.#halves.length > 0;
  }

  take(isBeside: boolean): RowBatch | undefined {
    const isAlone = this.#isNextAlone || this.#halves.length > 0;
    if (!this.hasRows || this.#isSettling || (isBeside && isAlone)) return undefined;
    this.#isNextAlone = false;
    const batch: Waiting[] = [];
    for (const waiting of this.#halves.pop() ?? this.#waiting.splice(0, this.#nextBatchSize())) {
      if (hasWaitedTooLong(waiting)) waiting.sender.failed(tooLate());
      else if (waiting.send.stateHead === this.#state.stateHead) batch.push(waiting);
      else this.#checkAgain(waiting);
    }
    if (batch.length > 0) return new Batch(this.#state, this.#ends, batch);
    if (this.hasRows) this.#writer.schedule();
    return undefined;
  }

  /** At least one message, however long it is. */
  #nextBatchSize(): number {
    const most = Math.min(this.#waiting.length, MAX_BATCH);
    let chars = 0;
    for (let count = 0; count < most; count++) {
      const { content, renderedContent } = (this.#waiting[count] as Waiting).send;
      chars += content.length + renderedContent.length;
      if (chars > MAX_BATCH_CHARS) return Math.max(1, count);
    }
    return most;
  }

  #putBack(batch: readonly Waiting[]): void {
    this.#waiting = [...batch, ...this.#waiting];
    this.#isNextAlone = true;
    this.#writer.schedule();
  }

  #halve(batch: readonly Waiting[]): void {
    const middle = Math.ceil(batch.length / 2);
    this.#halves.push(batch.slice(middle), batch.slice(0, middle));
    this.#writer.schedule();
  }

  async #settle(batch: readonly Waiting[]): Promise<void> {
    this.#isSettling = true;
    try {
      await this.#refused(batch);
    } catch (error) {
      for (const { sender } of batch) sender.failed(error);
    }
    this.#isSettling = false;
    this.#writer.schedule();
  }

  async #refused(batch: readonly Waiting[]): Promise<void> {
    await this.#state.catchUp();
    const refusedOften: Waiting[] = [];
    for (const waiting of batch) {
      if (++waiting.refusals >= MAX_REFUSALS) refusedOften.push(waiting);
      else this.#checkAgain(waiting);
    }
    if (refusedOften.length > 0) await this.#writeLocked(refusedOften);
  }

  /** Puts the message back into the queue, or rejects it. */
  #checkAgain(waiting: Waiting): void {
    try {
      const send = waiting.sender.check();
      if (send instanceof Promise) {
        send.then(
          (later) => this.#put(waiting, later),
          (error) => waiting.sender.failed(error),
        );
      } else {
        this.#put(waiting, send);
      }
    } catch (error) {
      waiting.sender.failed(error);
    }
  }

  #put(waiting: Waiting, send: Send): void {
    if (needsRows(send)) {
      waiting.sender.failed(new NotForBatch());
      return;
    }
    waiting.send = send;
    this.#waiting.push(waiting);
    this.#writer.schedule();
  }

  /** Checks and writes messages while no state change runs, and tells their senders. */
  async #writeLocked(batch: readonly Waiting[]): Promise<void> {
    let sent: { waiting: Waiting; id: MessageId }[] = [];
    let refused = new Map<Waiting, unknown>();
    try {
      await runLocked(this.#state, async (tx) => {
        // After a deadlock all of this runs again, so nobody is told anything before the commit.
        sent = [];
        refused = new Map();
        const checked: Waiting[] = [];
        for (const waiting of batch) {
          const reason = await this.#checkNow(waiting);
          if (reason === undefined) checked.push(waiting);
          else refused.set(waiting, reason);
        }
        if (checked.length > 0) this.#append(tx, checked, sent);
      });
    } catch (error) {
      for (const waiting of batch) waiting.sender.failed(refused.get(waiting) ?? error);
      return;
    }
    this.#count(sent.length);
    for (const { waiting, id } of sent) waiting.sender.sent(id);
    for (const [{ sender }, reason] of refused) sender.failed(reason);
  }

  /** Resolves with why the message can't be written. undefined: it can. */
  async #checkNow(waiting: Waiting): Promise<unknown> {
    if (hasWaitedTooLong(waiting)) return tooLate();
    try {
      const send = await waiting.sender.check();
      if (needsRows(send)) return new NotForBatch();
      waiting.send = send;
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #append(tx: Change, batch: readonly Waiting[], sent: { waiting: Waiting; id: MessageId }[]): void {
    const state = this.#state;
    const sends = batch.map(({ send }) => send);
    tx.appendRows({
      count: batch.length,
      async write(inner, base) {
        const sentAt = new Date();
        await insertMessagesAfter(inner, state.organizationId, base, sends, sentAt);
        const seconds = Math.floor(sentAt.getTime() / 1000);
        const entries: LogEntry[] = [];
        for (const [index, waiting] of batch.entries()) {
          const id = (base + index + 1) as MessageId;
          const submessage = hasAdditions(waiting.send)
            ? await writeAdditions(inner, state, id, waiting.send)
            : null;
          sent.push({ waiting, id });
          entries.push(messageEntry(id, waiting.send, seconds, submessage));
        }
        return entries;
      },
    });
  }

  #count(messages: number): void {
    this.counts.batches++;
    this.counts.messages += messages;
    if (messages > 0) this.#sizes.observe(messages);
  }
}

/** Whether PostgreSQL refused values (classes 22 and 23) or a trigger did (P0), so that others may do. */
function isFaultOfRows(error: unknown): boolean {
  return /^(22|23|P0)/.test(String((error as { code?: unknown }).code));
}

function hasWaitedTooLong({ askedAt }: Waiting): boolean {
  return performance.now() - askedAt > MAX_WAIT_MS;
}

function tooLate(): ServerBusy {
  return new ServerBusy("the message waited too long");
}
