/**
 * A change and its events are one transaction, and appending is its last step: positions are given out under the lock of
 * the organization's log, which is then held for one statement and the commit, whatever the change did before.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { EventDeclaration } from "../../../api/event.ts";
import type { Position } from "../../../api/ids.ts";
import type { Transaction } from "../db/database.ts";
import type { Audience, EventPayload, LogEntry, StatePatch } from "./log-entry.ts";
import { logEntry, nobody } from "./log-entry.ts";
import { isBinding } from "./log-parts.ts";
import type { OrganizationState } from "./organization-state.ts";
import { appendEvents, lockState, type NewEvent, nextPositionRef } from "./store.ts";
import type { StoredEvent, StoredFields } from "./stored-event.ts";

export interface Change extends Transaction {
  state: OrganizationState;
  /**
   * Announces what the transaction does. The type of the event says which fields it has; `patches`, made by `patchOf`, say
   * what of the nodes' memory it changes.
   */
  append<E extends EventDeclaration | StoredEvent<object>>(
    event: E,
    fields: StoredFields<E>,
    audience: Audience,
    ...patches: readonly StatePatch[]
  ): void;
  /** Changes the nodes' memory without an event for clients. */
  appendPatch(...patches: readonly StatePatch[]): void;
  /** Announces what the transaction does; `state` says what of the nodes' memory it changes. */
  appendRaw(payload: EventPayload, audience: Audience, statePatch?: StatePatch): void;
  /** Adds entries that are rows of a table of their own, such as messages; they come after all events. */
  appendRows(rows: EntryRows): void;
  /**
   * The transaction's place in the log, for rows that are written before the place is known: after its events, before its
   * entries that are rows. So a message posted in the change is received by those whom the change subscribes.
   */
  positionRef(): Promise<number>;
}

/** Entries of the log whose table is not `events`. */
export interface EntryRows {
  count: number;
  /** Writes the rows, the first of them at the position after `base`, and returns their entries. Under the log's lock. */
  write(tx: Transaction, base: Position): Promise<LogEntry[]>;
}

const MAX_TRIES = 10;
/** What PostgreSQL says to one of several who wait for each other, after it has undone what that one did. */
const DEADLOCK = "40P01";
/** How soon work that could not go on is tried again, and for how long. */
const LATER_MS = 20;
const PATIENCE_MS = 30_000;

/** For work of `changeContent` that can't go on now: it is undone and run again a little later, without a connection meanwhile. */
export class TryLater extends Error {}

/**
 * Changes who may do what: people, channels, subscriptions, groups, settings. Such changes run one after another in an
 * organization, so `state` is exact while `work` runs and nothing it checked can change before the commit. Resolves when
 * this node's memory has the change too.
 */
export async function runStateChange<T>(
  state: OrganizationState,
  work: (tx: Change) => Promise<T>,
): Promise<T> {
  return inTurn(state, async () => {
    for (let tries = 1; ; tries++) {
      let committed: Committed | undefined;
      try {
        const result = await state.database.transaction(async (tx) => {
          await lockState(tx, state.organizationId);
          await state.catchUp();
          const change = new OpenChange(state, tx);
          const value = await work(change);
          await change.runBeforeCommitHooks();
          committed = await change.flush(undefined);
          return value;
        });
        if (committed) await announce(state, committed);
        return result;
      } catch (error) {
        if (!isDeadlock(error) || tries === MAX_TRIES) throw error;
      }
    }
  });
}

function isDeadlock(error: unknown): boolean {
  return (error as { code?: unknown }).code === DEADLOCK;
}

const turns = new WeakMap<OrganizationState, Promise<unknown>>();

/** Waiting for the state lock in memory first keeps the waiting ones from holding a connection each. */
function inTurn<T>(state: OrganizationState, work: () => Promise<T>): Promise<T> {
  const result = (turns.get(state) ?? Promise.resolve()).then(work);
  turns.set(
    state,
    result.catch(() => {}),
  );
  return result;
}

/**
 * Changes content: flags, reactions, typing. What `work` checked in `state` must still hold at the commit; if the memory
 * has changed meanwhile, everything is rolled back and `work` runs again; so it does, in either kind of change, after a
 * deadlock.
 */
export async function runContentChange<T>(
  state: OrganizationState,
  work: (tx: Change) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let tries = 1; ; ) {
    const expectedStateHead = state.stateHead;
    let committed: Committed | undefined;
    try {
      const result = await state.database.transaction(async (tx) => {
        const change = new OpenChange(state, tx);
        const value = await work(change);
        committed = await change.flush(expectedStateHead);
        return value;
      });
      if (committed) await announce(state, committed);
      return result;
    } catch (error) {
      if (error instanceof TryLater && performance.now() < deadline) await sleep(LATER_MS);
      else if (tries++ === MAX_TRIES) throw error;
      else if (error instanceof StaleMemory) await state.catchUp();
      else if (!isDeadlock(error)) throw error;
    }
  }
}

interface Committed {
  base: Position;
  head: Position;
  entries: readonly LogEntry[];
}

class StaleMemory extends Error {}

class OpenChange implements Change {
  readonly state: OrganizationState;
  readonly client: Transaction["client"];
  readonly query: Transaction["query"];
  readonly #events: NewEvent[] = [];
  readonly #rows: EntryRows[] = [];
  #positionRef: number | undefined;

  constructor(state: OrganizationState, tx: Transaction) {
    this.state = state;
    this.client = tx.client;
    this.query = tx.query;
  }

  append<E extends EventDeclaration | StoredEvent<object>>(
    { type, op }: E,
    fields: StoredFields<E>,
    audience: Audience,
    ...patches: readonly StatePatch[]
  ): void {
    const payload = { type, ...(op !== undefined && { op }), ...(fields as object) };
    this.#append(payload, audience, patches);
  }

  appendPatch(...patches: readonly StatePatch[]): void {
    this.#append({ type: "state" }, nobody, patches);
  }

  #append(payload: EventPayload, audience: Audience, patches: readonly StatePatch[]): void {
    const statePatch = patches.length === 0 ? undefined : Object.assign({}, ...patches);
    const binds = statePatch !== undefined && isBinding(this.state.parts, statePatch);
    this.#events.push({ payload, audience, statePatch, isBinding: binds });
  }

  appendRaw(payload: EventPayload, audience: Audience, statePatch?: StatePatch): void {
    const binds = statePatch !== undefined && isBinding(this.state.parts, statePatch);
    this.#events.push({ payload, audience, statePatch: statePatch, isBinding: binds });
  }

  appendRows(rows: EntryRows): void {
    this.#rows.push(rows);
  }

  /** Lets the rooms above add what follows from the changes of memory so far. */
  async runBeforeCommitHooks(): Promise<void> {
    const patches = this.#events.flatMap(({ statePatch }) =>
      Object.entries(statePatch ?? {}).map(([projection, patch]) => ({ projection, patch })),
    );
    for (const { projections, run } of this.state.parts.beforeCommitHooks) {
      const watched = patches.filter(({ projection }) => projections.includes(projection));
      if (watched.length > 0) await run(this, watched);
    }
  }

  async positionRef(): Promise<number> {
    this.#positionRef ??= await nextPositionRef(this);
    return this.#positionRef;
  }

  async flush(expectedStateHead: Position | undefined): Promise<Committed | undefined> {
    const rowCount = this.#rows.reduce((sum, { count }) => sum + count, 0);
    if (this.#events.length === 0 && rowCount === 0 && this.#positionRef === undefined) return undefined;
    const range = await appendEvents(this, this.state.organizationId, this.#events, {
      rowCount,
      positionRef: this.#positionRef,
      expectedStateHead,
    });
    if (!range) throw new StaleMemory();
    const entries = this.#events.map((event, index) =>
      logEntry((range.base + index + 1) as Position, event.payload, event.audience, event.statePatch),
    );
    for (const rows of this.#rows) {
      entries.push(...(await rows.write(this, (range.base + entries.length) as Position)));
    }
    return { ...range, entries };
  }
}

async function announce(state: OrganizationState, { base, head, entries }: Committed): Promise<void> {
  state.committed(base, entries, head);
  await state.reached(head);
}
