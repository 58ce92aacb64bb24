/**
 * When people were last there, in this node's memory. Reports change the memory at once and nothing else.
 * Every few seconds `exchange.ts` writes what changed as one batch, and adds what other nodes have written.
 *
 * A batch has an `updateId`, which grows. Clients name the newest one that they know, and get the people of
 * later batches. A report of somebody who stays there is no news for a while (`NEWS_AFTER_MS`), so that half
 * of the people who are there are in no batch of the last minute.
 */

import type { UserId } from "../../../api/ids.ts";
import { PRESENCE_OFFLINE_SECONDS, PRESENCE_PING_SECONDS } from "../../../api/profiles/presence.ts";
import type { Projection } from "../../platform/log/projection.ts";
import type { RawJson } from "../../platform/std/raw-json.ts";
import { listPresences, MAX_AHEAD_MS } from "./store.ts";

export const OFFLINE_AFTER_MS = PRESENCE_OFFLINE_SECONDS * 1000;

/**
 * How much later a report must be than the one that others know. Clients report every 60 s, so the second
 * report is news, after 120 s. The others learn of it 62 s later at most, before 200 s are over.
 */
export const NEWS_AFTER_MS = 100_000;

/** Answers are kept for further clients with the same `last_update_id`: how long, and how much text. */
const KEPT_MS = 2000;
const MAX_KEPT_CHARS = 16 * 1024 * 1024;

/** Times in milliseconds since the epoch. `activeAt` is 0 for somebody who was only ever connected. */
export interface Presence {
  readonly userId: UserId;
  readonly activeAt: number;
  readonly connectedAt: number;
}

export interface WrittenPresence extends Presence {
  readonly updateId: number;
}

interface Known {
  userId: UserId;
  activeAt: number;
  connectedAt: number;
  /** What others know, or will after the next batch; a minute less where the next report is to be written. */
  writtenActiveAt: number;
  writtenConnectedAt: number;
  batch: Batch | undefined;
}

/** The people whose newest batch it is. */
interface Batch {
  updateId: number;
  people: Set<Known>;
}

export class Presences {
  readonly #byId = new Map<UserId, Known>();
  /** In the order of their update ids. */
  #batches: Batch[] = [];
  readonly #unwritten = new Set<Known>();
  readonly #answers = new Map<string, RawJson>();
  #answerChars = 0;
  #answersFrom = 0;
  /** The newest of all times. */
  #newest = 0;

  /** The id of the newest batch; -1 if there is none. */
  get lastUpdateId(): number {
    return this.#batches.at(-1)?.updateId ?? -1;
  }

  find(userId: UserId, now = Date.now()): Presence | undefined {
    this.#forgetFuture(now);
    const known = this.#byId.get(userId);
    return known && known.connectedAt > 0 ? known : undefined;
  }

  /** Everybody who was ever there, also those of the next batch. */
  all(now = Date.now()): Iterable<Presence> {
    this.#forgetFuture(now);
    return this.#byId.values();
  }

  /** The people of the batches after this one. */
  *changedSince(updateId: number, now = Date.now()): Iterable<Presence> {
    this.#forgetFuture(now);
    for (let index = this.#batches.length - 1; index >= 0; index--) {
      const { updateId: id, people } = this.#batches[index] as Batch;
      if (id <= updateId) return;
      yield* people;
    }
  }

  /** Notes a report. Returns whether the person was offline until then. */
  report(userId: UserId, isActive: boolean, now: number): boolean {
    this.#forgetFuture(now);
    const known = this.#knownOf(userId);
    const wasOffline = now - known.connectedAt >= OFFLINE_AFTER_MS;
    const wasActive = now - known.activeAt < OFFLINE_AFTER_MS;
    known.connectedAt = Math.max(known.connectedAt, now);
    if (isActive) known.activeAt = Math.max(known.activeAt, now);
    this.#newest = Math.max(this.#newest, now);
    if (
      known.connectedAt - known.writtenConnectedAt >= NEWS_AFTER_MS ||
      known.activeAt - known.writtenActiveAt >= NEWS_AFTER_MS
    ) {
      this.#unwritten.add(known);
    }
    if (wasOffline || (isActive && !wasActive)) this.#forgetAnswers();
    return wasOffline;
  }

  /** What the next batch is to hold, at most `limit` people. They are then waited for by nobody else. */
  takeUnwritten(limit: number): Presence[] {
    const taken: Presence[] = [];
    for (const known of this.#unwritten) {
      if (taken.length === limit) break;
      this.#unwritten.delete(known);
      const isReturn = known.connectedAt - known.writtenConnectedAt >= OFFLINE_AFTER_MS;
      // Otherwise all who came in one minute would be written in the same minute ever after.
      const lead = isReturn && known.userId % 2 === 1 ? PRESENCE_PING_SECONDS * 1000 : 0;
      known.writtenActiveAt = known.activeAt - lead;
      known.writtenConnectedAt = known.connectedAt - lead;
      taken.push({ userId: known.userId, activeAt: known.activeAt, connectedAt: known.connectedAt });
    }
    return taken;
  }

  /** The batch may not have been written, so these people are in the next one. */
  putBack(presences: readonly Presence[]): void {
    for (const { userId } of presences) this.#unwritten.add(this.#knownOf(userId));
  }

  /** These people are written, in a batch that is newer than all that is known. */
  confirm(presences: readonly Presence[], updateId: number): void {
    for (const { userId } of presences) this.#moveTo(this.#knownOf(userId), updateId);
    this.#dropEmptyBatches();
  }

  /**
   * Adds rows of batches that are newer than all that is known, in the order of their ids. A time that is
   * ahead of now, from a node whose clock is ahead, counts as now.
   */
  add(rows: readonly WrittenPresence[], now = Date.now()): void {
    if (rows.length === 0) return;
    this.#forgetFuture(now);
    const past = (at: number) => (at > now + MAX_AHEAD_MS ? now : at);
    for (const { userId, updateId, ...row } of rows) {
      const [activeAt, connectedAt] = [past(row.activeAt), past(row.connectedAt)];
      const known = this.#knownOf(userId);
      this.#newest = Math.max(this.#newest, activeAt, connectedAt);
      known.activeAt = Math.max(known.activeAt, activeAt);
      known.connectedAt = Math.max(known.connectedAt, connectedAt);
      known.writtenActiveAt = Math.max(known.writtenActiveAt, activeAt);
      known.writtenConnectedAt = Math.max(known.writtenConnectedAt, connectedAt);
      this.#moveTo(known, updateId);
    }
    this.#dropEmptyBatches();
  }

  /** An answer that was made for another client since the last change, or else a new one. */
  answer(key: string, make: () => RawJson, now = Date.now()): RawJson {
    if (Math.abs(now - this.#answersFrom) > KEPT_MS) this.#forgetAnswers();
    if (this.#answers.size === 0) this.#answersFrom = now;
    const known = this.#answers.get(key);
    if (known) return known;
    const made = make();
    this.#answerChars += made.length;
    if (this.#answerChars > MAX_KEPT_CHARS) this.#forgetAnswers();
    this.#answers.set(key, made);
    return made;
  }

  /** After this machine's clock was set back: when these people were there is not known. */
  #forgetFuture(now: number): void {
    const limit = now + MAX_AHEAD_MS;
    if (this.#newest <= limit) return;
    const past = (at: number) => (at > limit ? 0 : at);
    for (const known of this.#byId.values()) {
      known.activeAt = past(known.activeAt);
      known.connectedAt = past(known.connectedAt);
      known.writtenActiveAt = past(known.writtenActiveAt);
      known.writtenConnectedAt = past(known.writtenConnectedAt);
    }
    this.#newest = now;
    this.#forgetAnswers();
  }

  #dropEmptyBatches(): void {
    this.#batches = this.#batches.filter(({ people }) => people.size > 0);
    this.#forgetAnswers();
  }

  #forgetAnswers(): void {
    this.#answers.clear();
    this.#answerChars = 0;
  }

  #knownOf(userId: UserId): Known {
    let known = this.#byId.get(userId);
    if (!known) {
      known = {
        userId,
        activeAt: 0,
        connectedAt: 0,
        writtenActiveAt: 0,
        writtenConnectedAt: 0,
        batch: undefined,
      };
      this.#byId.set(userId, known);
    }
    return known;
  }

  #moveTo(known: Known, updateId: number): void {
    let batch = this.#batches.at(-1);
    if (!batch || batch.updateId < updateId) {
      batch = { updateId, people: new Set() };
      this.#batches.push(batch);
    }
    known.batch?.people.delete(known);
    known.batch = batch;
    batch.people.add(known);
  }
}

/**
 * Loaded with the organization. It does not follow the log: only what it was loaded from is as of a position,
 * and no check depends on it.
 */
export const presences: Projection<Presences, never> = {
  name: "presences",
  isAdvisory: true,
  async load(tx, organizationId) {
    const value = new Presences();
    const limit = Date.now() + MAX_AHEAD_MS;
    const rows = await listPresences(tx, organizationId);
    value.add(rows.map((row) => withoutFuture(row, limit)));
    return value;
  },
  apply() {},
};

/** Such a row was written at a time that nobody knows. */
function withoutFuture(row: WrittenPresence, limit: number): WrittenPresence {
  const { activeAt, connectedAt } = row;
  return {
    ...row,
    activeAt: activeAt > limit ? 0 : activeAt,
    connectedAt: connectedAt > limit ? 0 : connectedAt,
  };
}
