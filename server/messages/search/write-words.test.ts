import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ChannelId, MessageId, OrganizationId, TopicId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { TurnBudget } from "../../platform/std/turn-budget.ts";
import type { IndexedMessage } from "./store.ts";
import { writeWords } from "./write-words.ts";

/** A database that remembers its statements and answers at once. */
function createRecorder() {
  const statements: Sql[] = [];
  const tx: Queryable = {
    async query(statement) {
      statements.push(statement);
      return [];
    },
  };
  const ids = () =>
    statements
      .filter(({ text }) => text.includes("insert into search_words"))
      .map(({ values }) => values[1] as number[]);
  const bytes = () =>
    statements.map(({ values }) =>
      values.reduce<number>((sum, value) => sum + (Buffer.isBuffer(value) ? value.length : 0), 0),
    );
  return { tx, ids, bytes };
}

function message(id: number, words: number): IndexedMessage {
  const text = Array.from({ length: words }, (_, index) => `ingredient${id}x${index}`).join(" ");
  return {
    organizationId: 1 as OrganizationId,
    id: id as MessageId,
    recipientId: 2 as ChannelId,
    topicId: 3 as TopicId,
    senderId: 4 as UserId,
    topic: "lunch",
    renderedContent: `<p>${text}</p>`,
  };
}

const messages = (count: number, words: number) =>
  Array.from({ length: count }, (_, index) => message(index + 1, words));

test("a few messages are split into words in one turn of the event loop", async () => {
  let now = 0;
  const turns = new TurnBudget(4, () => now++ / 10);
  const { tx, ids } = createRecorder();
  let isDone = false;
  const done = writeWords(tx, messages(10, 20), turns).then(() => {
    isDone = true;
  });
  await nextTurn();
  expect(isDone).toBe(true);
  await done;
  expect(ids()).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]);
});

test("other things happen while many long messages are split into words", async () => {
  let now = 0;
  // Each message takes a millisecond by this clock.
  const turns = new TurnBudget(4, () => now++);
  const { tx, ids } = createRecorder();
  let isDone = false;
  const done = writeWords(tx, messages(40, 500), turns).then(() => {
    isDone = true;
  });
  let count = 0;
  while (!isDone) {
    await nextTurn();
    count++;
  }
  await done;
  expect(count).toBeGreaterThanOrEqual(9);
  expect(ids().flat()).toEqual(messages(40, 500).map(({ id }) => id));
});

test("the words of many long messages are written by statements of limited size", async () => {
  const { tx, ids, bytes } = createRecorder();
  await writeWords(tx, messages(40, 500));
  expect(ids().length).toBeGreaterThan(5);
  expect(ids().flat()).toEqual(messages(40, 500).map(({ id }) => id));
  expect(Math.max(...bytes())).toBeLessThan(512 * 1024);
});
