/** First direct messages to and from guests, whose knowledge of people is limited, share transactions. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { ApiError } from "../../../api/errors.ts";
import type { MessageId, UserId } from "../../../api/ids.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { Node } from "../../../test/harness/node.ts";
import { uploaded } from "../../../test/harness/uploads.ts";
import { guestContacts } from "../../people/access/guest-contacts.ts";
import { type User, users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { stateChangesOf } from "../../platform/log/state-change-queue.ts";
import { WaitingChanges } from "../../platform/log/waiting-changes.ts";
import { batchSizesOf } from "./batch.ts";
import { sendMessage } from "./send.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  const { user_groups } = await expectSuccess(harness.as("ada").get("/user_groups"));
  const { id } = user_groups.find(({ name }: { name: string }) => name === "role:members");
  await expectSuccess(harness.as("ada").patch("/realm", { can_access_all_users_group: { new: id } }));
  await harness.state.database.transaction(({ client }) =>
    client.query(`
      create function refuse_text() returns trigger language plpgsql as $$
        begin raise exception 'refused' using errcode = '23514'; end $$;
      create trigger refused before insert on messages
        for each row when (new.content like '%refused%') execute function refuse_text();`),
  );
});
afterAll(() => harness.close());
afterEach(() => vi.restoreAllMocks());

const people = ["ada", "ben", "cleo", "dev", "elin"] as const satisfies CastName[];

/** A new guest, whom nobody has written to. */
let guests = 0;
async function newGuest(): Promise<UserId> {
  const email = `guest${++guests}@parley.test`;
  const account = { email, full_name: `Guest ${guests}`, password: "a long password for a guest" };
  const { user_id } = await expectSuccess(harness.as("ada").post("/users", account));
  await expectSuccess(harness.as("ada").patch(`/users/${user_id}`, { role: 600 }));
  return user_id;
}

function greet(by: CastName, guestId: UserId, content = "Welcome!", viewer = harness.user(by).viewer) {
  const to = { kind: "direct" as const, userIds: [guestId] };
  return sendMessage(viewer, { to, content, localEcho: null, readBySender: null });
}

/** Sends while somebody else has the state lock, so that all of them wait for it. */
async function together<T>(count: number, work: () => Promise<T>): Promise<T> {
  const adding = vi.spyOn(WaitingChanges.prototype, "add");
  let result: Promise<T> | undefined;
  await stateChangesOf(harness.state).run(async () => {
    result = work();
    await expect.poll(() => adding.mock.calls.length).toBe(count);
  });
  return result as Promise<T>;
}

async function storedContacts(guestId: UserId): Promise<number[]> {
  const rows = await harness.state.database.query<{ id: number }>(sql`
    select user_id as id from guest_contacts
    where organization_id = ${harness.state.organizationId} and guest_id = ${guestId} order by user_id`);
  return rows.map(({ id }) => id);
}

const idOf = (name: CastName) => harness.user(name).id;
const knows = (guestId: UserId, name: CastName) => harness.state.get(guestContacts).has(guestId, idOf(name));

test("many who write to guests for the first time share a commit, and the guests know all of them", async () => {
  const [one, two] = [await newGuest(), await newGuest()];
  const sizes = batchSizesOf(harness.state.database);
  const before = { sum: sizes.sum, count: sizes.counts.reduce((sum, each) => sum + each) };
  const ids = await together(10, () =>
    Promise.all(people.flatMap((by) => [greet(by, one), greet(by, two, "/poll Welcome?\nyes")])),
  );
  expect(new Set(ids).size).toBe(10);
  expect(sizes.sum - before.sum).toBe(10);
  expect(sizes.counts.reduce((sum, each) => sum + each) - before.count).toBeLessThan(4);
  for (const guestId of [one, two]) {
    expect(await storedContacts(guestId)).toEqual(people.map(idOf).sort((a, b) => a - b));
    for (const name of people) expect(knows(guestId, name), name).toBe(true);
  }
});

test("two messages of one person make them known once", async () => {
  const guest = await newGuest();
  await together(2, () => Promise.all([greet("dev", guest), greet("dev", guest, "Again: welcome!")]));
  expect(await storedContacts(guest)).toEqual([idOf("dev")]);
});

test("a guest gets to know of each sender before their message", async () => {
  const unknown = people.filter((name) => !knows(idOf("gus"), name));
  const listener = await listen(harness.as("gus"), { event_types: ["realm_user", "message"] });
  await together(people.length, () => Promise.all(people.map((by) => greet(by, idOf("gus")))));
  const known = new Set<number>();
  const senders: number[] = [];
  for (const { type, op, person, message } of await listener.heard()) {
    if (type === "realm_user" && op === "add") known.add(person.user_id);
    if (type !== "message") continue;
    expect([...known], message.sender_full_name).toContain(message.sender_id);
    senders.push(message.sender_id);
  }
  expect(senders.sort()).toEqual(people.map(idOf).sort());
  expect(unknown).toHaveLength(people.length);
});

test("one that can't be sent fails alone", async () => {
  const guest = await newGuest();
  const results = await together(3, () =>
    Promise.allSettled([greet("ada", guest), greet("dev", guest, "refused"), greet("elin", guest)]),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await storedContacts(guest)).toEqual([idOf("ada"), idOf("elin")].sort((a, b) => a - b));
  expect(knows(guest, "dev")).toBe(false);
});

test("who may not write any more when the turn comes is refused, and others are not", async () => {
  const guest = await newGuest();
  const other = await newGuest();
  const [first, second] = await together(2, async () => {
    // It has its place in the queue before those who write.
    const gone = runStateChange(harness.state, async (tx) => {
      const user = tx.state.get(users).byId.get(guest) as User;
      tx.appendPatch({ users: { put: [{ ...user, isActive: false }] } });
    });
    const sent = await Promise.allSettled([greet("dev", guest), greet("elin", other)]);
    await gone;
    return sent;
  });
  expect(first).toMatchObject({ status: "rejected", reason: expect.any(ApiError) });
  expect(second.status).toBe("fulfilled");
  expect(await storedContacts(guest)).toEqual([]);
  expect(await storedContacts(other)).toEqual([idOf("elin")]);
});

test("with a file it is sent too, and makes the sender known", async () => {
  const guest = await newGuest();
  const url = await uploaded(harness, "dev");
  const id = await greet("dev", guest, `[soup](${url})`);
  expect(await storedContacts(guest)).toEqual([idOf("dev")]);
  const rows = await harness.state.database.query<{ id: MessageId }>(sql`
    select message_id as id from message_uploads
    where organization_id = ${harness.state.organizationId} and message_id = ${id}`);
  expect(rows).toEqual([{ id }]);
});

test("two nodes make people known to one guest", async () => {
  const node = await Node.start(harness.services.config, harness.state.database.connection);
  const guest = await newGuest();
  await node.state.catchUp();
  const onNode = (by: CastName) => node.viewer(harness.user(by).email);
  await Promise.all([
    ...people.map((by) => greet(by, guest)),
    ...people.map((by) => greet(by, guest, "Welcome again!", onNode(by))),
  ]);
  expect(await storedContacts(guest)).toEqual(people.map(idOf).sort((a, b) => a - b));
  await harness.state.catchUp();
  await node.state.catchUp();
  for (const state of [harness.state, node.state])
    for (const name of people) expect(state.get(guestContacts).has(guest, idOf(name)), name).toBe(true);
  await node.stop();
});
