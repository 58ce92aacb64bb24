import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Position } from "../../../api/ids.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { Node } from "../../../test/harness/node.ts";
import { sendMessage } from "../../messages/send/send.ts";
import type { Queryable } from "../db/database.ts";
import { ServerBusy } from "../db/server-busy.ts";
import { sql } from "../db/sql.ts";
import { type Change, runContentChange, runLocked, runStateChange, TryLater } from "./change.ts";
import { everyone, logEntry, nobody } from "./log-entry.ts";
import { readHeads } from "./store.ts";
import { storedEvent } from "./stored-event.ts";

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("design", ["ada", "dev"]);
});

afterAll(() => harness.close());

const testNote = storedEvent<{ text: string }>()({ type: "test_note", op: undefined });
const note = (text: string) => ({ text });

function storedNotes() {
  return harness.state.database.query<{ position: Position; text: string }>(sql`
    select position, payload->>'text' as text from events
    where organization_id = ${harness.state.organizationId} and type = 'test_note' order by position`);
}

test("a change and its events are stored together, or neither is", async () => {
  const before = await readHeads(harness.state.database, harness.state.organizationId);
  const failing = runStateChange(harness.state, async (tx) => {
    await tx.query(sql`update organizations set name = 'Lost' where id = ${harness.state.organizationId}`);
    tx.append(testNote, note("lost"), everyone);
    throw new Error("something went wrong after the change");
  });
  await expect(failing).rejects.toThrow("something went wrong");
  expect(await readHeads(harness.state.database, harness.state.organizationId)).toEqual(before);
  expect((await storedNotes()).map((row) => row.text)).not.toContain("lost");
  const [row] = await harness.state.database.query<{ name: string }>(
    sql`select name from organizations where id = ${harness.state.organizationId}`,
  );
  expect(row?.name).toBe("Demo");
});

test("positions follow the order of commits, not the order in which the changes began", async () => {
  let release = () => {};
  const mayGoOn = new Promise<void>((resolve) => {
    release = resolve;
  });
  let hasBegun = () => {};
  const begun = new Promise<void>((resolve) => {
    hasBegun = resolve;
  });
  const slow = runContentChange(harness.state, async (tx) => {
    tx.append(testNote, note("slow"), nobody);
    hasBegun();
    await mayGoOn;
  });
  await begun;
  await runContentChange(harness.state, async (tx) => tx.append(testNote, note("quick"), nobody));
  release();
  await slow;
  expect((await storedNotes()).map((row) => row.text)).toEqual(["quick", "slow"]);
});

test("a reader never sees a position while an earlier one may still appear", async () => {
  const seen: number[] = [];
  let isDone = false;
  const reader = (async () => {
    for (let isLast = false; !isLast; ) {
      isLast = isDone;
      const { head } = await readHeads(harness.state.database, harness.state.organizationId);
      const rows = await harness.state.database.query<{ position: number }>(sql`
        select position from events where organization_id = ${harness.state.organizationId} and type = 'test_note'
        and position <= ${head} order by position`);
      // A position below an earlier head must not appear later.
      const missing = rows.filter(
        (row) => row.position <= (seen.at(-1) ?? 0) && !seen.includes(row.position),
      );
      expect(missing).toEqual([]);
      for (const row of rows) if (!seen.includes(row.position)) seen.push(row.position);
    }
  })();
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      runContentChange(harness.state, async (tx) => {
        await tx.query(sql`select pg_sleep(${(index % 5) / 500})`);
        tx.append(testNote, note(`note ${index}`), nobody);
      }),
    ),
  );
  isDone = true;
  await reader;
  expect(seen.length).toBeGreaterThanOrEqual(40);
});

test("a long change does not keep others from sending", async () => {
  let release = () => {};
  const mayGoOn = new Promise<void>((resolve) => {
    release = resolve;
  });
  let hasBegun = () => {};
  const begun = new Promise<void>((resolve) => {
    hasBegun = resolve;
  });
  const long = runStateChange(harness.state, async (tx) => {
    tx.append(testNote, note("long"), nobody);
    hasBegun();
    await mayGoOn;
  });
  await begun;
  const { viewer } = harness.user("dev");
  const sent = await sendMessage(viewer, {
    to: { kind: "channel", channel: { name: "design" }, topic: "lunch" },
    content: "Sent while something long goes on",
    localEcho: null,
    readBySender: null,
  });
  release();
  await long;
  expect(sent).toBeLessThan((await storedNotes()).find((row) => row.text === "long")?.position as number);
});

test("content that was checked against older memory is checked again", async () => {
  let runs = 0;
  await runContentChange(harness.state, async (tx) => {
    runs++;
    if (runs === 1) {
      await runStateChange(harness.state, async (other) => {
        const dev = harness.user("dev").user;
        other.append(testNote, note("state"), nobody, { users: { put: [dev] } });
      });
    }
    tx.append(testNote, note(`content ${runs}`), nobody);
  });
  expect(runs).toBe(2);
  expect((await storedNotes()).map((row) => row.text)).toContain("content 2");
  expect((await storedNotes()).map((row) => row.text)).not.toContain("content 1");
});

test("content that was beaten twice runs while no state change can", async () => {
  let runs = 0;
  let other: Promise<void> | undefined;
  const changeState = () =>
    runStateChange(harness.state, async (tx) => {
      tx.append(testNote, note("beats"), nobody, { users: { put: [harness.user("dev").user] } });
    });
  await runContentChange(harness.state, async (tx) => {
    runs++;
    if (runs <= 2) await changeState();
    else other = changeState();
    // Time for the other change, which must wait for the lock.
    await tx.query(sql`select pg_sleep(0.1)`);
    tx.append(testNote, note(`beaten content ${runs}`), nobody);
  });
  await other;
  expect(runs).toBe(3);
  const texts = (await storedNotes()).map((row) => row.text);
  expect(texts.slice(-2)).toEqual(["beaten content 3", "beats"]);
});

test("what a locked change decides on is never older than the log", async () => {
  const elsewhere = await Node.start(harness.services.config, harness.services.database.connection, {
    organizationId: harness.state.organizationId,
  });
  // Another node changes the state, and this one's memory does not follow.
  const silent = vi.spyOn(harness.state, "follow").mockImplementation(() => {});
  const user = { ...harness.user("gus").user, fullName: "Gus Pike-Berg" };
  await runStateChange(elsewhere.state, async (tx) => {
    tx.append(testNote, note("elsewhere"), nobody, { users: { put: [user] } });
  });
  expect(harness.user("gus").user.fullName).toBe("Gus Pike");
  const seen = await runLocked(harness.state, async () => harness.user("gus").user.fullName);
  expect(seen).toBe("Gus Pike-Berg");
  silent.mockRestore();
  await elsewhere.stop();
});

test("too many waiting changes of one organization are put off, and those that wait are made", async () => {
  // Where they take longer than a change may wait, more of them would be put off. So the clock stands.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  const made: number[] = [];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 1001 }, (_, index) =>
      runStateChange(harness.state, async () => void made.push(index)),
    ),
  ).finally(() => clock.mockRestore());
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused.map(({ reason }) => reason)).toEqual([expect.any(ServerBusy)]);
  expect(outcomes.at(-1)).toBe(refused[0]);
  expect(made).toEqual(Array.from({ length: 1000 }, (_, index) => index));
});

test("a change is in the memory of the node that made it when it is acknowledged", async () => {
  await runStateChange(harness.state, async (tx) => {
    const user = { ...harness.user("elin").user, fullName: "Elin Berg-Lind" };
    tx.append(testNote, note("renamed"), nobody, { users: { put: [user] } });
  });
  expect(harness.user("elin").user.fullName).toBe("Elin Berg-Lind");
  expect(harness.state.stateHead).toBe(
    (await readHeads(harness.state.database, harness.state.organizationId)).stateHead,
  );
});

test("a position ref stands for the position of its transaction in the log", async () => {
  const positionRef = await runStateChange(harness.state, async (tx) => {
    tx.append(testNote, note("referenced"), nobody, { users: { put: [harness.user("dev").user] } });
    return tx.positionRef();
  });
  const [row] = await harness.state.database.query<{ position: Position }>(
    sql`select position from log_positions where organization_id = ${harness.state.organizationId} and id = ${positionRef}`,
  );
  expect(row?.position).toBe((await storedNotes()).find((each) => each.text === "referenced")?.position);
});

test("entries in other tables follow the events of their transaction, and fail together with them", async () => {
  const { organizationId } = harness.state;
  const before = (await readHeads(harness.state.database, organizationId)).head;
  const written: Position[] = [];
  const change = (isFailing: boolean) =>
    runContentChange(harness.state, async (tx) => {
      tx.appendRows({
        count: 2,
        async write(inner, base) {
          written.push(base);
          if (isFailing) throw new Error("the rows can't be written");
          for (const text of ["row 1", "row 2"]) {
            const position = base + 1 + Number(text === "row 2");
            await inner.query(sql`
              insert into events (organization_id, position, type, payload, audience)
              values (${organizationId}, ${position}, 'test_note', ${JSON.stringify({ type: "test_note", ...note(text) })}, '{"to":"nobody"}')`);
          }
          return ["row 1", "row 2"].map((text, index) =>
            logEntry((base + index + 1) as Position, { type: "test_note", ...note(text) }, nobody),
          );
        },
      });
      tx.append(testNote, note("event of the rows"), nobody);
    });
  await expect(change(true)).rejects.toThrow("can't be written");
  expect((await readHeads(harness.state.database, organizationId)).head).toBe(before);
  await change(false);
  expect(written).toEqual([before + 1, before + 1]);
  expect((await storedNotes()).slice(-3)).toEqual([
    { position: before + 1, text: "event of the rows" },
    { position: before + 2, text: "row 1" },
    { position: before + 3, text: "row 2" },
  ]);
  expect(harness.state.position).toBe(before + 3);
});

test("when two changes deadlock, one is rolled back and runs again", async () => {
  const { organizationId } = harness.state;
  const ids = [harness.user("ada").id, harness.user("dev").id] as const;
  const lock = (tx: Queryable, id: number) =>
    tx.query(sql`select from users where organization_id = ${organizationId} and id = ${id} for update`);
  let held = 0;
  let release = () => {};
  const bothHold = new Promise<void>((resolve) => {
    release = resolve;
  });
  let runs = 0;
  const inOrder = (first: number, second: number) => async (tx: Change) => {
    runs++;
    await lock(tx, first);
    if (++held === 2) release();
    await bothHold;
    await lock(tx, second);
    tx.append(testNote, note(`${first} first`), nobody);
  };
  await Promise.all([
    runContentChange(harness.state, inOrder(ids[0], ids[1])),
    runStateChange(harness.state, inOrder(ids[1], ids[0])),
  ]);
  // The second run may lock its row before the change that waited for it, and then they deadlock once more.
  expect(runs).toBeGreaterThan(2);
  const texts = (await storedNotes()).map((row) => row.text).filter((text) => text.endsWith(" first"));
  expect(texts.sort()).toEqual(ids.map((id) => `${id} first`).sort());
});

test("work that can't go on yet is rolled back and runs again, until it can", async () => {
  let runs = 0;
  const before = await readHeads(harness.state.database, harness.state.organizationId);
  await runContentChange(harness.state, async (tx) => {
    tx.append(testNote, note("later"), nobody);
    if (++runs < 4) throw new TryLater();
  });
  expect(runs).toBe(4);
  expect((await readHeads(harness.state.database, harness.state.organizationId)).head).toBe(before.head + 1);
});

test("work that can't go on yet does not wait for a state change", async () => {
  let runs = 0;
  await runStateChange(harness.state, async () => {
    await runContentChange(harness.state, async () => {
      if (++runs < 4) throw new TryLater();
    });
  });
  expect(runs).toBe(4);
});
