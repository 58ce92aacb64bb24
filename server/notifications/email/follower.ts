import { setTimeout as sleep } from "node:timers/promises";
import type { OrganizationId, Position } from "../../../api/ids.ts";
import { findLastOlder } from "../../messages/for-mail.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { readEntries } from "../../platform/log/read-log.ts";
import type { Services } from "../../services.ts";
import { findMissed, NEWS_HOURS } from "./find-missed.ts";
import { findMissedEdits } from "./missed-edits.ts";
import { type Note, newsOf, noteOf } from "./news.ts";
import { insertMissed, listUnseen, lockCursor, updateCursor, withoutFlush } from "./store.ts";

/** Mail waits for minutes, so this need not be short. */
const LOOK_EVERY_MS = 1000;
/**
 * How often organizations are looked for that no node has in memory, or whose node has died. After the first
 * time, only those count that nobody has followed since the time before.
 */
const SURVEY_EVERY_MS = 30_000;
/** Entries with their texts, where they were not noted. */
const ENTRIES_AT_ONCE = 500;
const NOTES_AT_ONCE = 2000;
const RETRY_MS = 5000;
const HOUR_MS = 3600 * 1000;

type Followed = Pick<Services, "database" | "organizations" | "mailer">;

/**
 * Follows the log of each organization behind the sends, and writes a row for each person who may have to get
 * messages by mail, however many messages one look finds for them. A send itself does nothing for that. The
 * cursor and the rows are one transaction, under the cursor's lock. So each message is looked at by one node,
 * once.
 */
export class MissedMessageFollower {
  readonly #services: Followed;
  readonly #report: (error: unknown) => void;
  readonly #reached = new Map<OrganizationId, Position>();
  readonly #stopping = new AbortController();
  #working: Promise<void> = Promise.resolve();
  /** The organizations with unseen messages at the last survey, and up to where each had been looked at. */
  #unseen: ReadonlyMap<OrganizationId, Position> | undefined;
  #surveyedAt = Number.NEGATIVE_INFINITY;

  constructor(services: Followed, report: (error: unknown) => void) {
    this.#services = services;
    this.#report = report;
  }

  /** Does nothing without mail settings: another process, or a later start, mails what is news then. */
  start(): void {
    if (this.#services.mailer.canSend) this.#working = this.#follow();
  }

  /** Resolves when the running work is done. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    for (let restMs = LOOK_EVERY_MS; ; ) {
      await sleep(restMs, undefined, { ref: false, signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.#look();
        restMs = LOOK_EVERY_MS;
      } catch (error) {
        this.#report(error);
        restMs = RETRY_MS;
      }
    }
  }

  async #look(): Promise<void> {
    const { organizations } = this.#services;
    for (const state of organizations.loaded.values()) await this.#lookAt(state);
    if (performance.now() - this.#surveyedAt < SURVEY_EVERY_MS) return;
    this.#surveyedAt = performance.now();
    await this.survey();
  }

  /** Looks at organizations that this node may not have in memory. */
  async survey(): Promise<void> {
    const { database, organizations } = this.#services;
    const unseen = await listUnseen(database);
    const before = this.#unseen;
    this.#unseen = unseen;
    for (const [id, reached] of unseen) {
      if (this.#stopping.signal.aborted) return;
      // Another node follows it a second behind. To load it here would bring all organizations into the
      // memory of each node.
      if (before && before.get(id) !== reached) continue;
      const state = await organizations.byId(id);
      await state.catchUp();
      await followAll(state);
    }
  }

  async #lookAt(state: OrganizationState): Promise<void> {
    const { organizationId, position } = state;
    const reached = this.#reached.get(organizationId) ?? state.loadedAt;
    if (reached === position || this.#stopping.signal.aborted) return;
    const news = newsOf(state);
    const isUnseen = reached < news.after || news.hasAfter(reached);
    if (isUnseen && !(await followAll(state))) return;
    this.#reached.set(organizationId, position);
  }
}

/** Looks through the whole log that memory has. Resolves with false if another node is doing so. */
export async function followAll(state: OrganizationState): Promise<boolean> {
  for (;;) {
    const outcome = await followSome(state);
    if (outcome !== "more") return outcome === "reached";
  }
}

async function followSome(state: OrganizationState): Promise<"reached" | "more" | "taken"> {
  const { database, organizationId } = state;
  const news = newsOf(state);
  let seen: Position | undefined;
  const outcome = await database.transaction(
    async (tx): Promise<"reached" | "more" | "taken"> => {
      const cursor = await lockCursor(tx, organizationId);
      if (cursor === undefined) return "taken";
      // What memory does not have yet is looked at later, so that nothing is decided by older memory.
      const end = state.position;
      seen = cursor;
      if (cursor >= end) return "reached";
      const after = cursor < news.after ? await skipOld(state, tx, cursor, end) : cursor;
      const { notes, upTo } = await notesAfter(state, tx, after, end);
      const messages = notes.flatMap((note) => ("message" in note ? note.message : []));
      const edits = notes.flatMap((note) => ("edit" in note ? note.edit : []));
      const missed = [
        ...(await findMissed(state, tx, messages)),
        ...(await findMissedEdits(state, tx, edits)),
      ];
      if (missed.length > 0) await insertMissed(tx, organizationId, upTo, missed);
      await updateCursor(tx, organizationId, upTo);
      seen = upTo;
      return upTo < end ? "more" : "reached";
    },
    { lane: "background", lead: [withoutFlush] },
  );
  // After the commit, since a transaction that fails is tried again.
  if (seen !== undefined) news.forget(seen);
  return outcome;
}

/**
 * Where to go on after `cursor`. A log that nobody followed for long, for want of mail settings, is not read
 * up to its last message that is no news. What lies before that is older still.
 */
async function skipOld(
  state: OrganizationState,
  tx: Queryable,
  cursor: Position,
  end: Position,
): Promise<Position> {
  const { organizationId } = state;
  const newsSince = new Date(Date.now() - NEWS_HOURS * HOUR_MS);
  const last = await findLastOlder(tx, organizationId, newsSince, { after: cursor, head: end });
  return Math.max(cursor, last ?? 0) as Position;
}

/** What came after this position, and up to where. A node that keeps up reads nothing. */
async function notesAfter(
  state: OrganizationState,
  tx: Queryable,
  after: Position,
  end: Position,
): Promise<{ notes: Note[]; upTo: Position }> {
  const news = newsOf(state);
  if (after < news.after) {
    const { entries, upTo } = await readEntries(tx, state, { after, end, limit: ENTRIES_AT_ONCE });
    return { notes: entries.flatMap((entry) => noteOf(entry) ?? []), upTo };
  }
  const notes = news.between(after, end, NOTES_AT_ONCE);
  const last = notes.at(-1);
  return { notes, upTo: last && notes.length === NOTES_AT_ONCE ? last.position : end };
}
