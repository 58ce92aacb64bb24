import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { ApiError, errors } from "../../../api/errors.ts";
import { DatabaseGate } from "../../../test/harness/database-gate.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { Node } from "../../../test/harness/node.ts";
import { untilWaiting } from "../../../test/harness/waiting.ts";
import { sendMessage } from "../../messages/send/send.ts";
import { OutcomeUnknown } from "../db/database-unavailable.ts";
import { isDeadlock, ServerBusy } from "../db/server-busy.ts";
import { sql } from "../db/sql.ts";
import { runContentChange, runStateChange } from "./change.ts";
import { type FoundRow, type GroupedChange, NextGroup } from "./grouped-change.ts";
import { nobody } from "./log-entry.ts";
import { groupSizesOf, logWriterOf, MAX_WAITING_CHANGES, runGroupedChange } from "./log-writer.ts";
import type { OrganizationState } from "./organization-state.ts";
import { storedEvent } from "./stored-event.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  const { client } = await clientOf(harness.state);
  await client(`
    create table test_notes (id bigint primary key, text text not null, check (text <> 'too bad'));
    create function refuse_note() returns trigger language plpgsql as $$
      begin raise exception 'deadlock' using errcode = '40P01'; end $$;
    create trigger refused before insert or update on test_notes
      for each row when (new.text = 'locked') execute function refuse_note();
    create table test_rows (id bigint primary key);
    insert into test_rows select generate_series(0, 20000);`);
  await harness.channel("kitchen", ["ada", "dev"]);
});
afterAll(() => harness.close());
afterEach(() => vi.restoreAllMocks());

async function clientOf({ database }: OrganizationState) {
  return { client: (text: string) => database.transaction(({ client }) => client.query(text)) };
}

const noted = storedEvent<{ text: string }>()({ type: "test_note", op: undefined });

interface NoteRequest {
  id: number;
  text: string;
}

/** Writes a text down for a number. Answers with the text that was there. */
const note: GroupedChange<
  NoteRequest,
  FoundRow & { text: string | null },
  { ids: Set<number> },
  NoteRequest,
  string | null
> = {
  name: "note",
  keysOf: ({ id }) => [String(id)],
  sizeOf: ({ text }) => text.length,
  check({ text }) {
    if (text === "not now") throw new ApiError(errors.invalidMessage);
  },
  locks: [
    {
      rows: {
        statement: (_, rows, waits) =>
          sql`select id from test_rows where id = any(${rows.map(({ id }) => id)}::bigint[]) order by id
            for update ${waits ? sql`` : sql`skip locked`}`,
      },
      of: ({ id }) => [{ id, mode: "" }],
    },
  ],
  find: (_, requests) => sql`
    select ordinality::int - 1 as number, (select text from test_notes where id = asked.id) as text
    from unnest(${requests.map(({ id }) => id)}::bigint[]) with ordinality as asked (id, ordinality)`,
  share: () => ({ ids: new Set() }),
  decide(request, [found], { ids }, events) {
    if (request.text === "never") throw new ApiError(errors.invalidMessage);
    if (request.text === "after all" && ids.size > 0) throw new NextGroup();
    ids.add(request.id);
    events.append(noted, { text: request.text }, nobody);
    return { writes: [request], answer: found?.text ?? null };
  },
  write: (_, writes) => sql`
    insert into test_notes (id, text)
    select * from unnest(${writes.map(({ id }) => id)}::bigint[], ${writes.map(({ text }) => text)}::text[])
    on conflict (id) do update set text = excluded.text`,
};

let lastId = 0;
const newId = () => ++lastId;
const write = (text: string, person = 1, id = newId(), state = harness.state) =>
  runGroupedChange(state, note, person, { id, text });

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("It succeeded."),
    (error: unknown) => error,
  );

/** What the log says was written after the position. */
async function logged(after: number): Promise<string[]> {
  const rows = await harness.state.database.query<{ text: string }>(sql`
    select payload->>'text' as text from events
    where organization_id = ${harness.state.organizationId} and type = 'test_note' and position > ${after}
    order by position`);
  return rows.map(({ text }) => text);
}

/** Counts the groups and what was read again while it runs. */
async function observing<T>(work: () => Promise<T>) {
  const sizes = groupSizesOf(harness.state.database);
  const before = { sum: sizes.sum, count: sizes.counts.reduce((sum, each) => sum + each) };
  const follow = vi.spyOn(harness.state, "follow");
  const result = await work();
  const groups = sizes.counts.reduce((sum, each) => sum + each) - before.count;
  return { result, groups, changes: sizes.sum - before.sum, follows: follow.mock.calls.length };
}

/** Holds a row, or the log, until the returned function is called. */
async function hold(
  statement = sql`
  select from organization_logs where organization_id = ${harness.state.organizationId} for update`,
) {
  let release = () => {};
  let note = () => {};
  const isHeld = new Promise<void>((resolve) => {
    note = resolve;
  });
  const done = harness.state.database.transaction(async (tx) => {
    await tx.query(statement);
    await new Promise<void>((resolve) => {
      release = resolve;
      note();
    });
  });
  await isHeld;
  return async () => {
    release();
    await done;
  };
}

const holdRow = (id: number) => hold(sql`select from test_rows where id = ${id} for update`);

test("changes of many people share groups, and the node reads nothing of its own again", async () => {
  const { position } = harness.state;
  const texts = Array.from({ length: 300 }, (_, index) => `text ${index}`);
  const observed = await observing(() => Promise.all(texts.map((text, index) => write(text, index))));
  expect(observed).toMatchObject({ changes: 300, groups: 2, follows: 0 });
  expect(await logged(position)).toEqual(texts);
  expect(harness.state.recent.all.slice(-300).map(({ payload }) => payload.text)).toEqual(texts);
});

test("a person has at most 16 changes in a group, and others go before the rest", async () => {
  const { position } = harness.state;
  const many = Array.from({ length: 40 }, () => write("many", 1));
  const observed = await observing(() => Promise.all([...many, write("few", 2), write("few", 2)]));
  expect(observed).toMatchObject({ changes: 42, groups: 3 });
  const texts = await logged(position);
  expect(texts.slice(0, 18).filter((text) => text === "few")).toHaveLength(2);
});

test("a group ends before its texts become too long", async () => {
  const long = "long ".repeat(10_000);
  const observed = await observing(() =>
    Promise.all(Array.from({ length: 12 }, (_, index) => write(long, index))),
  );
  expect(observed).toMatchObject({ changes: 12, groups: 3 });
});

test("changes of one thing are made one after another, in their order", async () => {
  const id = newId();
  const texts = ["first", "second", "third"];
  const answers = await Promise.all(texts.map((text, index) => write(text, index, id)));
  expect(answers).toEqual([null, "first", "second"]);
});

test("a change that must see what another one writes goes with the next group", async () => {
  const { position } = harness.state;
  const observed = await observing(() =>
    Promise.all([write("before", 1), write("after all", 2), write("beside", 3)]),
  );
  expect(observed).toMatchObject({ changes: 3, groups: 2 });
  expect(await logged(position)).toEqual(["before", "beside", "after all"]);
});

test.each(["never", "not now"])(
  "a change that is refused (%s) keeps nobody else from theirs",
  async (text) => {
    const { position } = harness.state;
    const writes = [write("one"), write(text), write("two")];
    expect(await failureOf(writes[1] as Promise<unknown>)).toMatchObject({
      declaration: errors.invalidMessage,
    });
    await Promise.all([writes[0], writes[2]]);
    expect(await logged(position)).toEqual(["one", "two"]);
  },
);

test.each([
  ["breaks a rule of the database", "too bad", (error: unknown) => /check constraint/.test(String(error))],
  ["is always rolled back by a deadlock", "locked", isDeadlock],
])("a change that %s fails alone", async (_, bad, isExpected) => {
  const { position } = harness.state;
  const texts = Array.from({ length: 40 }, (_, index) => (index === 17 ? bad : `${bad} ${index}`));
  const outcomes = await Promise.allSettled(texts.map((text, index) => write(text, index)));
  const failed = outcomes.filter((each) => each.status === "rejected");
  expect(failed).toHaveLength(1);
  expect(outcomes[17]?.status).toBe("rejected");
  expect(isExpected(failed[0]?.reason)).toBe(true);
  expect((await logged(position)).sort()).toEqual(texts.filter((text) => text !== bad).sort());
});

test("a change that breaks a rule of the database keeps no message from being sent", async () => {
  const release = await hold();
  const first = write("first");
  await untilWaiting(harness.state.database, 1);
  const beside = [write("too bad"), write("good")];
  const sending = say("beside a change that fails");
  await release();
  expect(await failureOf(beside[0] as Promise<unknown>)).toMatchObject({ code: "23514" });
  await Promise.all([first, beside[1], sending]);
});

test("messages that wait go along with a group, in one commit", async () => {
  await say("The first message of the topic goes alone.");
  const release = await hold();
  const first = say("first");
  await untilWaiting(harness.state.database, 1);
  const follow = vi.spyOn(harness.state, "follow");
  const noteWritten = write("beside messages");
  const written = Promise.all([noteWritten, say("second"), say("third")]);
  // The group has read what it needs, and waits for its turn.
  const { database } = harness.state;
  await expect.poll(() => database.laneUse.changes.taken).toBeGreaterThan(1);
  await release();
  const [, second, third] = await written;
  await first;
  expect(third).toBe(second + 1);
  const entries = harness.state.recent.all.slice(-3);
  expect(entries.map(({ position }) => position)).toEqual([second, third, third + 1]);
  expect(entries[2]?.payload).toMatchObject({ text: "beside messages" });
  expect(follow).not.toHaveBeenCalled();
});

test("who waits for a row that others hold holds nobody up", async () => {
  const id = newId();
  const release = await holdRow(id);
  let isDone = false;
  const waiting = write("after the other", 1, id).then(() => {
    isDone = true;
  });
  await Promise.all([write("meanwhile", 1), write("meanwhile", 2)]);
  await untilWaiting(harness.state.database, 1);
  await write("meanwhile again", 3);
  expect(isDone).toBe(false);
  await release();
  await waiting;
});

test("who waits for a row waits for no other that somebody holds for a moment", async () => {
  const [long, short, free] = [newId(), newId(), newId()];
  const releaseLong = await holdRow(long);
  const releaseShort = await holdRow(short);
  // They are blocked together.
  const waiting = Promise.all([write("long", 1, long), write("long too", 2, long)]);
  const blocked = write("short", 3, short);
  await untilWaiting(harness.state.database, 1);
  await releaseShort();
  await blocked;
  // What waits for the one row holds none of the other.
  await write("short again", 4, short);
  await write("free", 5, free);
  let isDone = false;
  const end = waiting.then(() => {
    isDone = true;
  });
  const released = await holdRow(free);
  const later = write("free again", 6, free);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await released();
  await later;
  expect(isDone).toBe(false);
  await releaseLong();
  await end;
});

test("changes that state changes beat again and again are made, each once", async () => {
  const { position } = harness.state;
  let isDone = false;
  const changing = (async () => {
    while (!isDone) {
      await runStateChange(harness.state, async (tx) =>
        tx.appendPatch({ users: { put: [harness.user("elin").user] } }),
      );
    }
  })();
  const texts: string[] = [];
  for (let round = 0; round < 10; round++) {
    const these = Array.from({ length: 6 }, (_, index) => `beaten ${round} ${index}`);
    texts.push(...these);
    await Promise.all(these.map((text, index) => write(text, index)));
  }
  isDone = true;
  await changing;
  expect((await logged(position)).sort()).toEqual(texts.sort());
});

test("other changes of the node commit beside the groups", async () => {
  const { position } = harness.state;
  const other = (text: string) =>
    runContentChange(harness.state, async (tx) => tx.append(noted, { text }, nobody));
  const texts = Array.from({ length: 30 }, (_, index) => `mixed ${index}`);
  await Promise.all(texts.map((text, index) => (index % 3 === 0 ? other(text) : write(text, index))));
  expect((await logged(position)).sort()).toEqual(texts.sort());
});

test("changes wait in memory up to a number, and more are refused at once", async () => {
  const release = await hold();
  const waiting = Array.from({ length: MAX_WAITING_CHANGES }, (_, index) => write("x", index, newId() % 900));
  await expect(write("one more")).rejects.toThrow(ServerBusy);
  await release();
  await Promise.all(waiting);
  await write("and then again");
});

test("a change that waited too long is refused and never written", async () => {
  const { position } = harness.state;
  const release = await hold();
  const first = write("in time");
  await untilWaiting(harness.state.database, 1);
  const late = expect(write("too late")).rejects.toThrow(new ServerBusy("the change waited too long"));
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 11_000);
  await release();
  await late;
  clock.mockRestore();
  await first;
  expect(await logged(position)).toEqual(["in time"]);
});

test("when the connection breaks during the commit, nobody knows what became of the group", async () => {
  const { config, database } = harness.services;
  const gate = await DatabaseGate.open(database.connection);
  const node = await Node.start(config, gate.connection);
  const { position } = node.state;
  await runGroupedChange(node.state, note, 1, { id: newId(), text: "over the gate" });
  const release = await hold();
  const texts = ["unknown 1", "unknown 2"];
  const unknown = texts.map((text, index) => failureOf(write(text, index, newId(), node.state)));
  await untilWaiting(harness.state.database, 1);
  gate.losesAnswers = true;
  await release();
  await expect.poll(() => logged(position)).toEqual(expect.arrayContaining(texts));
  for (const error of await Promise.all(unknown)) expect(error).toBeInstanceOf(OutcomeUnknown);
  await gate.remove();
  await node.stop();
});

test("two nodes write to one log, each its own groups", async () => {
  const { config, database } = harness.services;
  const node = await Node.start(config, database.connection);
  await harness.state.catchUp();
  const { position } = harness.state;
  const texts = Array.from({ length: 200 }, (_, index) => `of two nodes ${index}`);
  await Promise.all(
    texts.map((text, index) =>
      write(text, index, 1 + (index % 50), index % 2 === 0 ? harness.state : node.state),
    ),
  );
  expect((await logged(position)).sort()).toEqual(texts.sort());
  await harness.state.catchUp();
  await node.state.catchUp();
  expect(node.state.position).toBe(harness.state.position);
  const own = (state: OrganizationState) => state.recent.all.map((entry) => entry.position);
  expect(own(harness.state).slice(-150)).toEqual(own(node.state).slice(-150));
  await node.stop();
});

test("the writer of an organization is one on a node", () => {
  expect(logWriterOf(harness.state)).toBe(logWriterOf(harness.state));
  expect(logWriterOf(harness.state)).not.toBe(logWriterOf(harness.otherState));
});

function say(content: string): Promise<number> {
  return sendMessage(harness.user("dev").viewer, {
    to: { kind: "channel", channel: { name: "kitchen" }, topic: "beside" },
    content,
    localEcho: null,
    readBySender: null,
  });
}

test("changes wait while a transaction of another kind has the turn to commit", async () => {
  const order: string[] = [];
  const end = await logWriterOf(harness.state).turn();
  const written = write("in its turn").then(() => order.push("written"));
  for (let count = 0; count < 5; count++) {
    await runContentChange(harness.state, async (tx) => tx.append(noted, { text: "beside" }, nobody));
  }
  order.push("ended");
  end();
  await written;
  expect(order).toEqual(["ended", "written"]);
});
