/** The flags that queues get with an edit, from entries of the log as they are now and as they once were. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MessageId, Position, UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { makeQueue } from "../../../test/harness/queue.ts";
import { subscribe } from "../../channels/subscriptions/subscribe.ts";
import type { User } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { everyone, type LogEntry, logEntry } from "../../platform/log/log-entry.ts";
import { updateSerializer } from "./events.ts";

const CROWD = 1200;

let harness: Harness;
/** Subscribed to `hall`. Every second one has read what comes there. */
let crowd: User[];
beforeAll(async () => {
  harness = await createHarness();
  const hall = await harness.channel("hall", ["ada", "dev"]);
  crowd = await addPeople(CROWD);
  await runStateChange(harness.state, (tx) => subscribe(tx, [hall], crowd));
  await harness.state.database.query(sql`
    insert into read_states (organization_id, user_id, recipient_id, ranges)
    select ${harness.state.organizationId}, id, ${hall.id}, '{[0,1000000)}'
    from unnest(${crowd.filter((_, index) => index % 2 === 1).map(({ id }) => id)}::bigint[]) id`);
});
afterAll(() => harness.close());

const say = sayIn(() => harness);

async function addPeople(count: number): Promise<User[]> {
  return runStateChange(harness.state, async (tx) => {
    const rows = await tx.query<{ id: UserId; email: string }>(sql`
      insert into users (organization_id, email, full_name, role)
      select ${harness.state.organizationId}, 'p' || n || '@demo.test', 'Person ' || n, ${roles.member}::smallint
      from generate_series(1, ${count}::int) as n returning id, email`);
    const people = rows.map(
      (row): User => ({ ...harness.user("dev").user, ...row, fullName: row.email.split("@")[0] as string }),
    );
    tx.appendPatch({ users: { put: people } });
    return people;
  });
}

async function giveQueues(users: readonly User[]): Promise<void> {
  await harness.state.database.query(sql`
    insert into event_queues (organization_id, id, user_id, cursor, started_at, options, lifespan_seconds)
    select ${harness.state.organizationId}, gen_random_uuid(), id, 1, 1, '{}', 600
    from unnest(${users.map(({ id }) => id)}::bigint[]) id`);
}

async function edit(name: CastName, id: number, content: string): Promise<LogEntry> {
  await expectSuccess(harness.as(name).patch(`/messages/${id}`, { content }));
  return harness.state.recent.all.findLast(({ payload }) => payload.type === "update_message") as LogEntry;
}

function flagsFor(entry: LogEntry, userId: UserId): string[] {
  const queue = makeQueue("queue", userId, { applyMarkdown: true, clientGravatar: true });
  return JSON.parse(updateSerializer.serialize(harness.state, entry, queue)?.json as string).flags;
}

const isRead = (index: number) => index % 2 === 1;
const expectedFlags = () => crowd.map((_, index) => (isRead(index) ? ["read"] : []));

test("everybody gets their own flags, whether few of the subscribers have a queue or all", async () => {
  const dev = await listen(harness.as("dev"), { event_types: ["update_message"] });
  const id = await say("ada", "hall");
  await giveQueues(crowd.slice(0, 10));
  const few = await edit("ada", id, "Second");
  expect(crowd.slice(0, 10).map((user) => flagsFor(few, user.id))).toEqual(expectedFlags().slice(0, 10));
  await giveQueues(crowd.slice(10));
  const all = await edit("ada", id, "Third");
  expect(crowd.map((user) => flagsFor(all, user.id))).toEqual(expectedFlags());
  expect((await dev.heard()).map(({ flags }) => flags)).toEqual([[], []]);
});

test("an entry for 1,200 people with different flags is a few kilobytes", async () => {
  const entry = await edit("ada", await say("ada", "hall"), "Short");
  expect(crowd.map((user) => flagsFor(entry, user.id))).toEqual(expectedFlags());
  expect(JSON.stringify(entry.payload).length).toBeLessThan(3 * CROWD);
});

test("who came after a message gets it as historical, whatever was edited before they came", async () => {
  const id = await say("ada", "hall");
  await edit("ada", id, "Before");
  await expectSuccess(
    harness.as("ada").post("/users/me/subscriptions", {
      subscriptions: [{ name: "hall" }],
      principals: [harness.user("elin").id],
    }),
  );
  const elin = await listen(harness.as("elin"), { event_types: ["update_message"] });
  const later = await say("ada", "hall");
  await edit("ada", later, "Of the later one");
  await edit("ada", id, "Of the earlier one");
  expect((await elin.heard()).map(({ flags }) => flags)).toEqual([[], ["read", "historical"]]);
});

/** An entry as servers wrote it that listed each person with their flags. */
function oldEntry(readers: readonly (readonly [number, number, boolean, boolean])[]): LogEntry {
  const update = {
    user_id: 1,
    rendering_only: false,
    message_id: 5 as MessageId,
    message_ids: [5],
    edit_timestamp: 1,
    content: "New",
  };
  const message = { facts: 0, mentionedGroupIds: null };
  return logEntry(9 as Position, { type: "update_message", update, message, readers }, everyone);
}

test("an old entry gives each person the flags that it lists, and others none", () => {
  const [one, two, three, four] = crowd.map(({ id }) => id) as [UserId, UserId, UserId, UserId];
  const entry = oldEntry([
    [one, 0, true, false],
    [two, 1, false, false],
    [three, 0, true, true],
  ]);
  expect([one, two, three, four].map((id) => flagsFor(entry, id))).toEqual([
    ["read"],
    ["starred"],
    ["read", "historical"],
    [],
  ]);
});

test("its people are looked at once, however many queues get it", () => {
  let looks = 0;
  const readers = new Proxy(
    crowd.map(({ id }) => [id, 0, true, false] as const),
    {
      get(target, name) {
        if (/^\d+$/.test(String(name))) looks++;
        return Reflect.get(target, name);
      },
    },
  );
  const entry = oldEntry(readers);
  expect(crowd.every(({ id }) => flagsFor(entry, id)[0] === "read")).toBe(true);
  expect(looks).toBeLessThanOrEqual(CROWD);
});
