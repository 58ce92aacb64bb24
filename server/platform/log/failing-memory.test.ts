/** What becomes of callers when memory fails right after the commit of what they wrote. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Position } from "../../../api/ids.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sendMessage } from "../../messages/send/send.ts";
import { sql } from "../db/sql.ts";
import { runContentChange } from "./change.ts";
import type { FoundRow, GroupedChange } from "./grouped-change.ts";
import { nobody } from "./log-entry.ts";
import { runGroupedChange } from "./log-writer.ts";
import { storedEvent } from "./stored-event.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["dev"]);
});
afterAll(() => harness.close());
afterEach(() => vi.restoreAllMocks());

const noted = storedEvent<{ text: string }>()({ type: "test_note", op: undefined });

const note: GroupedChange<{ text: string }, FoundRow, undefined, never, string> = {
  name: "note",
  keysOf: () => [],
  check() {},
  decide({ text }, _found, _shared, events) {
    events.append(noted, { text }, nobody);
    return { writes: [], answer: text };
  },
};

const writeNote = (text: string) => runGroupedChange(harness.state, note, 1, { text });

const say = (content: string) =>
  sendMessage(harness.user("dev").viewer, {
    to: { kind: "channel", channel: { name: "kitchen" }, topic: "x" },
    content,
    localEcho: null,
    readBySender: null,
  });

/** Lets the memory fail at its next commit. Returns what was reported. */
function failOnce(): unknown[] {
  const { parts } = harness.state;
  const reported: unknown[] = [];
  vi.spyOn(parts, "report").mockImplementation((error) => void reported.push(error));
  vi.spyOn(parts.bus, "publish").mockImplementationOnce(() => {
    throw new Error("no memory");
  });
  return reported;
}

async function storedHead(): Promise<number> {
  const [row] = await harness.state.database.query<{ head: number }>(sql`
    select head from organization_logs where organization_id = ${harness.state.organizationId}`);
  return row?.head as number;
}

/** The memory has all that is stored, each entry once. */
async function expectWhole(): Promise<void> {
  const head = await storedHead();
  await harness.state.reached(head as Position);
  const positions = harness.state.recent.all.map(({ position }) => position);
  expect(positions.at(-1)).toBe(head);
  expect(positions).toEqual([...new Set(positions)].sort((one, other) => one - other));
}

test("the sender of a message that is stored is told so, and memory reads it from the log", async () => {
  const reported = failOnce();
  const id = await say("stored");
  expect(id).toBe(await storedHead());
  await expectWhole();
  expect(reported).toEqual([new Error("no memory")]);
});

test("all messages of a batch are answered", async () => {
  await say("one");
  failOnce();
  const ids = await Promise.all(["two", "three", "four"].map(say));
  expect(new Set(ids).size).toBe(3);
  await expectWhole();
});

test("a group of changes and the messages beside it are answered", async () => {
  failOnce();
  const [answer, id] = await Promise.all([writeNote("a note"), say("beside")]);
  expect(answer).toBe("a note");
  expect(id).toBeGreaterThan(0);
  await expectWhole();
});

test("a change with a transaction of its own is answered", async () => {
  failOnce();
  const result = await runContentChange(harness.state, async (tx) => {
    tx.append(noted, { text: "alone" }, nobody);
    return "done";
  });
  expect(result).toBe("done");
  await expectWhole();
});

test("a change is answered although the log can't be read either, and memory catches up later", async () => {
  const reported = failOnce();
  const unreadable = new Error("no log");
  vi.spyOn(harness.state, "catchUp").mockRejectedValueOnce(unreadable);
  expect(await writeNote("unseen")).toBe("unseen");
  expect(reported).toEqual([new Error("no memory"), unreadable]);
  await writeNote("seen");
  await expectWhole();
});
