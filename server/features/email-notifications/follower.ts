import { setTimeout as sleep } from "node:timers/promises";
import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { storedFields } from "../../platform/log/stored-event.ts";
import type { Services } from "../../services.ts";
import { loggedMessage, type MessagePayload, messageSource } from "../messages/delivery/message-log.ts";
import { findMissed } from "./find-missed.ts";
import {
  insertMissed,
  listUnseen,
  lockCursor,
  moveCursorsToEnd,
  updateCursor,
  withoutFlush,
} from "./store.ts";

/** Mail waits for minutes, so this need not be short. */
const LOOK_EVERY_MS = 1000;
/** How often organizations are looked for that no node has in memory, or whose node has died. */
const SURVEY_EVERY_MS = 30_000;
const MESSAGES_AT_ONCE = 500;
const RETRY_MS = 5000;

type Followed = Pick<Services, "database" | "organizations" | "mailer">;

/**
 * Follows the log of each organization behind the sends, and writes a row for each person who may have to get
 * a message by mail. A send itself does nothing for that. The cursor and the rows are one transaction, under
 * the cursor's lock. So of all nodes one looks at a message, once.
 */
export class MissedMessageFollower {
  readonly #services: Followed;
  readonly #report: (error: unknown) => void;
  readonly #reached = new Map<OrganizationId, Position>();
  readonly #stopping = new AbortController();
  #working: Promise<void> = Promise.resolve();
  #surveyedAt = Number.NEGATIVE_INFINITY;

  constructor(services: Followed, report: (error: unknown) => void) {
    this.#services = services;
    this.#report = report;
  }

  start(): void {
    this.#working = this.#follow();
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
    const { organizations, mailer } = this.#services;
    if (mailer.canSend) for (const state of organizations.loaded.values()) await this.#lookAt(state);
    if (performance.now() - this.#surveyedAt < SURVEY_EVERY_MS) return;
    this.#surveyedAt = performance.now();
    await this.#survey();
  }

  async #survey(): Promise<void> {
    const { database, organizations, mailer } = this.#services;
    if (!mailer.canSend) return moveCursorsToEnd(database);
    for (const id of await listUnseen(database)) {
      if (this.#stopping.signal.aborted) return;
      const state = await organizations.byId(id);
      await state.catchUp();
      await followAll(state);
    }
  }

  async #lookAt(state: OrganizationState): Promise<void> {
    const { organizationId, position } = state;
    const reached = this.#reached.get(organizationId) ?? state.recentAfter;
    if (reached === position || this.#stopping.signal.aborted) return;
    if (hasMessagesAfter(state, reached) && !(await followAll(state))) return;
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
  return database.transaction(
    async (tx) => {
      const cursor = await lockCursor(tx, organizationId);
      if (cursor === undefined) return "taken";
      // What memory does not have yet is looked at later, so that nothing is decided by older memory.
      const end = state.position;
      if (cursor >= end) return "reached";
      const { messages, upTo } = await messagesAfter(state, tx, cursor, end);
      const missed = await findMissed(state, tx, messages);
      if (missed.length > 0) await insertMissed(tx, organizationId, missed);
      await updateCursor(tx, organizationId, upTo);
      return upTo < end ? "more" : "reached";
    },
    { lane: "background", lead: [withoutFlush] },
  );
}

/** The newest entries are in memory, so a node that keeps up reads nothing. */
async function messagesAfter(
  state: OrganizationState,
  tx: Queryable,
  after: Position,
  end: Position,
): Promise<{ messages: MessagePayload[]; upTo: Position }> {
  const isKept = after >= state.recentAfter;
  const entries = isKept
    ? state.recent.filter(({ position }) => position > after && position <= end)
    : await messageSource.read(tx, state.organizationId, after, end, MESSAGES_AT_ONCE);
  const found = entries.flatMap(({ payload }) => storedFields(loggedMessage, payload) ?? []);
  const messages = found.slice(0, MESSAGES_AT_ONCE);
  const last = messages.at(-1)?.message.id as Position | undefined;
  const isWhole = isKept ? found.length === messages.length : entries.length < MESSAGES_AT_ONCE;
  return { messages, upTo: isWhole || last === undefined ? end : last };
}

function hasMessagesAfter(state: OrganizationState, after: Position): boolean {
  if (after < state.recentAfter) return true;
  for (let index = state.recent.length - 1; index >= 0; index--) {
    const entry = state.recent[index];
    if (entry === undefined || entry.position <= after) return false;
    if (storedFields(loggedMessage, entry.payload)) return true;
  }
  return false;
}
