/** Kinds of changes whose entries are rows of their own, as messages are, in groups with all others. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Position } from "../../../api/ids.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { holdLog } from "../../../test/harness/held-log.ts";
import { untilWaiting } from "../../../test/harness/waiting.ts";
import { sendMessage } from "../../messages/send/send.ts";
import { type Sql, sql } from "../db/sql.ts";
import { runStateChange } from "./change.ts";
import type { FoundRow, GroupedChange } from "./grouped-change.ts";
import { logEntry, nobody } from "./log-entry.ts";
import { groupSizesOf, logWriterOf, runGroupedChange } from "./log-writer.ts";
import { newestLogRow } from "./store.ts";
import { storedEvent } from "./stored-event.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev"]);
});
afterAll(() => harness.close());

const noted = storedEvent<{ text: string }>()({ type: "test_note", op: undefined });

/** Announces a text by an event. */
const note: GroupedChange<{ text: string }, FoundRow, void, void, void> = {
  name: "note",
  keysOf: () => [],
  check() {},
  share() {},
  decide({ text }, _, __, events) {
    events.append(noted, { text }, nobody);
    return { writes: [], answer: undefined };
  },
};

const write = (text: string, person: number) => runGroupedChange(harness.state, note, person, { text });

/** What the log says was written after the position. */
async function logged(after: number): Promise<string[]> {
  const rows = await harness.state.database.query<{ text: string }>(sql`
    select payload->>'text' as text from events
    where organization_id = ${harness.state.organizationId} and type = 'test_note' and position > ${after}
    order by position`);
  return rows.map(({ text }) => text);
}

/** Writes its entries itself: so many, one after another. A negative number breaks the statement. */
const entries: GroupedChange<{ text: string; count: number }, FoundRow, void, OwnEntries, OwnEntries> = {
  name: "own entries",
  keysOf: () => [],
  check() {},
  share() {},
  decide({ text, count }) {
    const own = { text, count, first: 0 };
    return { writes: [own], answer: own };
  },
  rows(writes) {
    const { organizationId } = harness.state;
    const texts = writes.flatMap(({ text, count }) => (count < 0 ? ["\0"] : Array(count).fill(text)));
    const taken = sql`
      select head - ${texts.length}::int as base, head from organization_logs
      where organization_id = ${organizationId} order by stretch desc limit 1`;
    const taking = (expected: Position | undefined) => sql`
      update organization_logs set head = head + ${texts.length}::int
      where ${newestLogRow(organizationId)} and (${expected ?? null}::bigint is null or state_head = ${expected ?? null})
      returning head - ${texts.length}::int as base, head`;
    const writing = (log: Sql) => sql`
      with log as (${log}), written as (
        insert into events (organization_id, position, type, payload, audience)
        select ${organizationId}, log.base + n.ordinality, 'test_note',
          jsonb_build_object('type', 'test_note', 'text', n.text), '{"to":"nobody"}'
        from log, unnest(${texts}::text[]) with ordinality as n (text, ordinality)
      )
      select coalesce((select base from log), stale_memory()) as base, (select head from log) as head`;
    return {
      count: texts.length,
      statement: (positions) => writing(positions === "taken" ? taken : taking(positions.expectedStateHead)),
      entriesFrom: ({ base }) =>
        texts.map((text, index) => {
          const payload = { type: "test_note", text };
          return logEntry((base + index + 1) as Position, payload, nobody);
        }),
      sent({ base }) {
        let position: number = base;
        for (const write of writes) {
          write.first = position + 1;
          position += write.count;
        }
      },
    };
  },
};

interface OwnEntries {
  text: string;
  count: number;
  first: number;
}

const writeEntries = (text: string, count = 1, person = 1) =>
  runGroupedChange(harness.state, entries, person, { text, count });

/** What memory has after the position, as the log has it. */
const remembered = (after: number) =>
  harness.state.recent.all
    .filter(({ position, payload }) => position > after && payload.type === "test_note")
    .map(({ payload }) => payload.text);

test("entries that a kind writes itself come after the events of their group, each where it is", async () => {
  const viewer = harness.user("dev").viewer;
  const to = { kind: "channel" as const, channel: { name: "kitchen" }, topic: "lunch" };
  const say = (content: string) => sendMessage(viewer, { to, content, localEcho: null, readBySender: null });
  await say("The first message of a topic changes a policy too.");
  const { stateHead, position: head } = harness.state;
  const release = await holdLog(harness.state);
  const sizes = groupSizesOf(harness.state.database);
  const before = sizes.sum;
  const running = Promise.all([
    writeEntries("one", 2, 1),
    write("event", 2),
    writeEntries("two", 1, 3),
    say("beside"),
  ]);
  await untilWaiting(harness.state.database, 1);
  await release();
  const [one, , two] = await running;
  expect(await logged(head)).toEqual(["event", "one", "one", "two"]);
  expect(remembered(head)).toEqual(await logged(head));
  expect(two.first - one.first).toBe(2);
  expect(harness.state.stateHead).toBe(stateHead);
  expect(sizes.sum - before).toBe(3);
});

test("an entry of its own that can't be written fails alone", async () => {
  const { position: head } = harness.state;
  const results = await Promise.allSettled([
    writeEntries("before", 1, 1),
    writeEntries("broken", -1, 2),
    write("event", 3),
    writeEntries("after", 1, 4),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect((await logged(head)).sort()).toEqual(["after", "before", "event"]);
});

test("entries of its own are written by memory that is exact, however often it changes", async () => {
  const { position: head } = harness.state;
  const changing = { is: true };
  const changes = (async () => {
    while (changing.is) {
      await runStateChange(harness.state, async (tx) =>
        tx.appendPatch({ users: { put: [harness.user("elin").user] } }),
      );
    }
  })();
  for (let round = 0; round < 10; round++) {
    await Promise.all([1, 2, 3, 4].map((person) => writeEntries(`${round}`, 1, person)));
  }
  changing.is = false;
  await changes;
  expect((await logged(head)).length).toBe(40);
});

test("messages have the next turn after a group with entries of its own, also where others wait", async () => {
  const { viewer } = harness.user("dev");
  const to = { kind: "channel" as const, channel: { name: "kitchen" }, topic: "lunch" };
  const say = (content: string) => sendMessage(viewer, { to, content, localEcho: null, readBySender: null });
  await say("The first message of a topic has rows.");
  let isSent = false;
  let turns = 0;
  const groups = (async () => {
    while (!isSent && turns < 50) await writeEntries("busy");
  })();
  const others = (async () => {
    while (!isSent && turns < 50) {
      const end = await logWriterOf(harness.state).turn();
      turns++;
      // Meanwhile the next group is ready.
      await new Promise((resolve) => setTimeout(resolve, 20));
      end();
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const before = turns;
  await say("patient");
  isSent = true;
  const waited = turns - before;
  await Promise.all([groups, others]);
  expect(waited).toBeLessThan(10);
});
