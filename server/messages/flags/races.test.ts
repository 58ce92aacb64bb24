import { afterAll, beforeAll, expect, test } from "vitest";
import type { TopicId } from "../../../api/ids.ts";
import { expectSuccess, refusal, sayIn } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { type Listener, listen } from "../../../test/harness/listener.ts";
import { untilWaiting } from "../../../test/harness/waiting.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { sql } from "../../platform/db/sql.ts";
import { deleteMessage } from "../delete/delete.ts";
import { lockPlaces } from "../read-state/read-state-lock.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev", "gus"]);
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const mark = (name: CastName, messages: number[], op: string, flag: string) =>
  harness.as(name).post("/messages/flags", { messages, op, flag });

/** Runs `first` in a transaction that is held open until `second`, a request, waits for something. */
async function whileOpen<T>(first: (wait: () => Promise<void>) => Promise<void>, second: () => Promise<T>) {
  let answer: Promise<T> | undefined;
  await first(async () => {
    answer = second();
    await untilWaiting(harness.state.database, 1);
  });
  return answer as Promise<T>;
}

/** Deletes a message, and has the request wait for it. */
const whileDeleting = <T>(id: number, request: () => Promise<T>) =>
  whileOpen(
    (wait) =>
      changeContent(harness.user("ada").viewer, async (tx) => {
        await deleteMessage(tx, id);
        await wait();
      }),
    request,
  );

const hears = (name: CastName): Promise<Listener> =>
  listen(harness.as(name), { event_types: ["update_message_flags", "delete_message", "update_message"] });

test.each([
  ["starred", "add"],
  ["collapsed", "add"],
  ["read", "remove"],
])("no client gets the flag %s (%s) of a message after its deletion", async (flag, op) => {
  const ids = [await say("ada", "kitchen"), await say("ada", "kitchen")] as [number, number];
  await mark("dev", ids, "add", "read");
  const dev = await hears("dev");
  expect(await refusal(whileDeleting(ids[0], () => mark("dev", ids, op, flag)))).toBe("Invalid message(s)");
  expect(await dev.heard()).toMatchObject([{ type: "delete_message", message_id: ids[0] }]);
  const narrow = [["id", ids[1]]];
  const page = { narrow, anchor: "oldest", num_before: 0, num_after: 9, op, flag };
  const { processed_count, updated_count } = await expectSuccess(
    whileDeleting(ids[1], () => harness.as("dev").post("/messages/flags/narrow", page)),
  );
  expect([processed_count, updated_count]).toEqual([1, 0]);
  expect(await dev.heard()).toMatchObject([{ type: "delete_message", message_id: ids[1] }]);
});

/**
 * Lets requests queue for the organization's log in the order given, each when the one before it waits. Small
 * changes that come after the first one wait in memory.
 */
async function inLine(requests: (() => Promise<unknown>)[], { isSmall = false } = {}): Promise<void> {
  const answers: Promise<unknown>[] = [];
  await harness.state.database.transaction(async (tx) => {
    await tx.query(
      sql`select from organization_logs where organization_id = ${harness.state.organizationId} for update`,
    );
    for (const request of requests) {
      answers.push(request());
      await untilWaiting(harness.state.database, isSmall ? 1 : answers.length);
    }
  });
  await Promise.all(answers);
}

test.each([
  ["renamed topic", { topic: "dinner" }, false],
  ["new text", { content: "Stew." }, true],
])(
  "a %s of a message that is marked as read at the same time says that it is read",
  async (_, change, isSmall) => {
    const id = await say("ada", "kitchen", { topic: `lunch ${JSON.stringify(change)}` });
    const dev = await hears("dev");
    await inLine(
      [
        () => expectSuccess(mark("dev", [id], "add", "read")),
        () =>
          expectSuccess(
            harness.as("ada").patch(`/messages/${id}`, { ...change, send_notification_to_new_thread: false }),
          ),
      ],
      { isSmall },
    );
    const heard = (await dev.heard()).map(({ type, flags }) => [type, flags]);
    expect(heard).toEqual([
      ["update_message_flags", undefined],
      ["update_message", ["read"]],
    ]);
  },
);

test("a message marked as unread while its reader is unsubscribed is read when they return", async () => {
  const id = await say("ada", "kitchen");
  const people = { subscriptions: [{ name: "kitchen" }], principals: [harness.user("gus").id] };
  const leave = () =>
    expectSuccess(
      harness.as("ada").delete("/users/me/subscriptions", { ...people, subscriptions: ["kitchen"] }),
    );
  const come = () => expectSuccess(harness.as("ada").post("/users/me/subscriptions", people));
  await leave();
  await come();
  const gus = await listen(harness.as("gus"), { event_types: ["update_message_flags"] });
  await inLine([() => expectSuccess(mark("gus", [id], "remove", "read")), leave]);
  const heard = (await gus.heard()).map(({ op, messages }) => [op, messages.includes(id)]);
  expect(heard).toEqual([
    ["remove", true],
    ["add", true],
  ]);
  await come();
  expect((await expectSuccess(harness.as("gus").get(`/messages/${id}`))).message.flags).toContain("read");
});

test("marking waits for a move of the same topic, and of no other", async () => {
  const ids: number[] = [];
  for (const topic of ["held", "free"]) ids.push(await say("ada", "kitchen", { topic }));
  const [held, free] = ids as [number, number];
  const { database, organizationId } = harness.state;
  let waits: Promise<unknown> | undefined;
  let hasMarked = false;
  await database.transaction(async (tx) => {
    const [row] = await tx.query<{ topicId: TopicId }>(sql`
      select topic_id as "topicId" from messages where organization_id = ${organizationId} and id = ${held}`);
    await lockPlaces(tx, organizationId, [(row as { topicId: TopicId }).topicId]);
    waits = expectSuccess(mark("dev", [held], "add", "read")).then(() => {
      hasMarked = true;
    });
    await expectSuccess(mark("dev", [free], "add", "read"));
    expect(hasMarked).toBe(false);
  });
  await waits;
  const { message } = await expectSuccess(harness.as("dev").get(`/messages/${held}`));
  expect(message.flags).toContain("read");
});
