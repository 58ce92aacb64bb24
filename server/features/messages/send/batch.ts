/**
 * Sends share commits. While one batch is being committed, the next one gathers. It leaves as soon as the
 * first commit returns. So batches grow under load, and a single send does not wait for others. Each
 * organization has one batch in flight per node: a second one would only wait for the lock of the log.
 */
import type { MessageId, Position } from "../../../../api/ids.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import { type LoggedMessage, messageEntry } from "../delivery/message-log.ts";
import { insertMessages } from "../model/store.ts";
import type { AutomaticPolicyChange } from "./automatic-policies.ts";

/** A larger statement gains nothing and holds the log's lock longer. */
const MAX_BATCH = 256;

/** What was checked in memory no longer holds. The sender must check again and send again. */
export class StaleSend extends Error {}

export interface Send extends LoggedMessage {
  /** The position of the memory state that the send was checked against. */
  stateHead: Position;
  /** Changes of topic policies that the message causes; `sendAlone` writes them. */
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
  /** For benchmarks and metrics: how many messages and batches were sent. */
  readonly counts = { messages: 0, batches: 0 };

  constructor(state: OrganizationState) {
    this.#state = state;
  }

  /**
   * Resolves with the message's id after the commit. Throws StaleSend when the send must be checked again.
   */
  add(send: Send): Promise<MessageId> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ send, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isFlying || this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    // Requests that arrived in the same turn of the event loop join this batch.
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
