import { afterAll, beforeAll, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import type { User } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { subscribe } from "../subscriptions/subscribe.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

test("a partial list of 250 subscribers or more names the bots and the people active in the last 14 days", async () => {
  const crowd = await addPeople(260);
  const [recent, former] = crowd as [User, User];
  const channel = await harness.channel("hall", ["ben", "cleo", "dev", "elin", "echo"]);
  const small = await harness.channel("booth", ["dev"]);
  await runStateChange(harness.state, (tx) => subscribe(tx, [channel], crowd));
  await runStateChange(harness.state, (tx) => subscribe(tx, [small], crowd.slice(0, 248)));
  await lastSeen(recent.id, 13);
  await lastSeen(former.id, 15);
  await harness
    .as("cleo")
    .post("/messages", { type: "direct", to: [harness.user("ben").id], content: "hello" });
  await harness.as("elin").post("/register", { event_types: ["message"] });

  const { body } = await harness.as("dev").post("/register", { include_subscribers: "partial" });
  const record = (id: number) =>
    body.subscriptions.find((each: { stream_id: number }) => each.stream_id === id);
  const expected = [
    ...["cleo", "dev", "elin", "echo"].map((name) => harness.user(name as "dev").id),
    recent.id,
  ];
  expect(record(channel.id)).not.toHaveProperty("subscribers");
  expect(record(channel.id).partial_subscribers).toEqual(expected);
  expect(record(channel.id).subscriber_count).toBe(265);
  expect(record(small.id).subscribers).toHaveLength(249);

  const full = await harness.as("dev").post("/register", { include_subscribers: true });
  const complete = full.body.subscriptions.find(
    (each: { stream_id: number }) => each.stream_id === channel.id,
  );
  expect(complete.subscribers).toHaveLength(265);
});

test("the time when a person was last active is stored with the account", async () => {
  await harness.as("gus").post("/register", { event_types: ["message"] });
  await expect
    .poll(async () => {
      const [row] = await harness.state.database.query<{ at: Date | null }>(sql`
        select last_active_at as at from users
        where organization_id = ${harness.state.organizationId} and id = ${harness.user("gus").id}`);
      return row?.at?.getTime() ?? 0;
    })
    .toBeGreaterThan(Date.now() - 60_000);
});

async function lastSeen(userId: UserId, daysAgo: number): Promise<void> {
  await harness.state.database.query(sql`
    update users set last_active_at = now() - make_interval(days => ${daysAgo}::int)
    where organization_id = ${harness.state.organizationId} and id = ${userId}`);
}

/** Members who never signed in. */
async function addPeople(count: number): Promise<User[]> {
  return runStateChange(harness.state, async (tx) => {
    const rows = await tx.query<{ id: UserId; email: string }>(sql`
      insert into users (organization_id, email, full_name, role)
      select ${harness.state.organizationId}, 'person' || n || '@demo.test', 'Person ' || n, ${roles.member}::smallint
      from generate_series(1, ${count}::int) as n returning id, email`);
    const people = rows.map(
      ({ id, email }): User => ({ ...harness.user("dev").user, id, email, fullName: email }),
    );
    tx.appendPatch({ users: { put: people } });
    return people;
  });
}
