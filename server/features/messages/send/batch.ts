/**
 * Sends share commits. While one batch is on its way to the disk the next one gathers, and it leaves as soon as the first
 * is back: under load batches grow by themselves, and a lone send waits for nobody. There is one flight for each
 * organization and node, since two would only queue up behind the lock of the log.
 */
import type { MessageId, Position } from "../../../../api/ids.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import { type LoggedMessage, messageEntry } from "../delivery/message-log.ts";
import { insertMessages } from "../model/store.ts";
import type { AutomaticPolicyChange } from "./automatic-policies.ts";

/** More than this in one statement gains nothing and holds the log's lock longer. */
const MAX_BATCH = 256;

/** What was checked in the memory no longer holds; the sender checks again and sends again. */
export class StaleSend extends Error {}

export interface Send extends LoggedMessage {
  /** The memory that the send was checked against. */
  stateHead: Position;
  /** What people come to want of the topic; it is for sendAlone to write. */
  changes: readonly AutomaticPolicyChange[] | null;
}

interface Waiting {
  send: Send;
  resolve: (id: MessageId) => void;
  reject: (error: unknown) => void;
}

export class SendBatcher {
  readonly #state: OrganizationState;
  #waiting: Waiting[] = [];
  #isFlying = false;
  #isScheduled = false;
  /** For the benchmarks and metrics: how many messages and batches went out. */
  readonly counts = { messages: 0, batches: 0 };

  constructor(state: OrganizationState) {
    this.#state = state;
  }

  /** Resolves with the message's id after the commit; throws StaleSend when it must be checked again. */
  add(send: Send): Promise<MessageId> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ send, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isFlying || this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    // Requests that arrived in the same turn of the event loop go along.
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#fly();
    });
  }

  async #fly(): Promise<void> {
    const taken = this.#waiting.splice(0, MAX_BATCH);
    const batch = taken.filter((waiting) => waiting.send.stateHead === this.#state.stateHead);
    if (batch.length < taken.length) {
      for (const waiting of taken) if (!batch.includes(waiting)) waiting.reject(new StaleSend());
    }
    if (batch.length > 0) {
      this.#isFlying = true;
      await this.#write(batch).catch((error) => {
        for (const waiting of batch) waiting.reject(error);
      });
      this.#isFlying = false;
    }
    this.#schedule();
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const state = this.#state;
    const sentAt = new Date();
    const sends = batch.map((waiting) => waiting.send);
    const range = await insertMessages(state.database, state.organizationId, sends, {
      expectedStateHead: (sends[0] as Send).stateHead,
      sentAt,
    });
    if (!range) {
      await state.catchUp();
      for (const waiting of batch) waiting.reject(new StaleSend());
      return;
    }
    this.counts.batches++;
    this.counts.messages += batch.length;
    const seconds = Math.floor(sentAt.getTime() / 1000);
    state.committed(
      range.base,
      sends.map((send, index) => messageEntry((range.base + index + 1) as MessageId, send, seconds)),
      range.head,
    );
    batch.forEach((waiting, index) => {
      waiting.resolve((range.base + index + 1) as MessageId);
    });
  }
}
