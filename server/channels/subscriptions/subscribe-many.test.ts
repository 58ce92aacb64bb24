import { afterAll, beforeAll, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import type { User } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import { type Change, runStateChange } from "../../platform/log/change.ts";
import type { Channel } from "../channel.ts";
import { subscribe, unsubscribe } from "./subscribe.ts";
import { subscribers } from "./subscribers.ts";

const MANY = 10_000;

let harness: Harness;
let crowd: User[];
beforeAll(async () => {
  harness = await createHarness();
  crowd = await addPeople(MANY);
});
afterAll(() => harness.close());

test("subscribing 10,000 people takes as many statements and log entries as two do", async () => {
  const channels = [
    await harness.channel("hall", ["ada"]),
    await harness.channel("annex", [], { isPrivate: true }),
  ];
  // The first time, a node asks for the channels' first messages.
  await measure(subscribe, channels, crowd.slice(0, 1));
  await measure(unsubscribe, channels, crowd.slice(0, 1));
  const few = await measure(subscribe, channels, crowd.slice(0, 2));
  await measure(unsubscribe, channels, crowd.slice(0, 2));
  const many = await measure(subscribe, channels, crowd);
  expect(many).toEqual(few);
  expect(many.statements).toBeLessThan(10);
});

test("unsubscribing 10,000 people takes as many statements as two do, and a log entry for each 500", async () => {
  const channels = [
    await harness.channel("field", ["ada"]),
    await harness.channel("shed", [], { isPrivate: true }),
  ];
  await measure(subscribe, channels, crowd);
  const many = await measure(unsubscribe, channels, crowd);
  await measure(subscribe, channels, crowd.slice(0, 2));
  const few = await measure(unsubscribe, channels, crowd.slice(0, 2));
  expect(many.statements).toBe(few.statements);
  expect(many.entries - few.entries).toBeLessThan(MANY / 500);
});

test("after 10,000 subscriptions in one request, PostgreSQL knows how many there are", async () => {
  const answer = await harness.as("ada").post("/users/me/subscriptions", {
    subscriptions: [{ name: "counted" }],
    principals: crowd.map(({ id }) => id),
  });
  expect(answer.status).toBe(200);
  const [row] = await harness.state.database.query<{ count: number }>(
    sql`select reltuples as count from pg_class where oid = 'subscriptions'::regclass`,
  );
  expect(row?.count).toBeGreaterThanOrEqual(MANY);
});

test("10,000 subscriptions are in the database and in memory", async () => {
  const channel = await harness.channel("stadium", []);
  await runStateChange(harness.state, (tx) => subscribe(tx, [channel], crowd));
  const [row] = await harness.state.database.query<{ count: number }>(sql`
    select count(*) as count from subscriptions s join log_positions m
      on m.organization_id = s.organization_id and m.id = s.from_position_ref
    where s.organization_id = ${harness.state.organizationId} and s.channel_id = ${channel.id} and s.to_position_ref is null`);
  expect(row?.count).toBe(MANY);
  expect(harness.state.get(subscribers).of(channel.id).size).toBe(MANY);
});

async function measure(verb: typeof subscribe | typeof unsubscribe, channels: Channel[], targets: User[]) {
  const before = harness.state.position;
  let statements = 0;
  await runStateChange(harness.state, async (tx) => {
    const counting = new Proxy(tx, {
      get(target, name) {
        if (name === "query") statements++;
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    return verb(counting as Change, channels, targets);
  });
  return { statements, entries: harness.state.position - before };
}

/** Members without a key, made by one statement. The actions would take minutes, and are not tested here. */
async function addPeople(count: number): Promise<User[]> {
  return runStateChange(harness.state, async (tx) => {
    const rows = await tx.query<{ id: UserId; email: string }>(sql`
      insert into users (organization_id, email, full_name, role)
      select ${harness.state.organizationId}, 'person' || n || '@demo.test', 'Person ' || n, ${roles.member}::smallint
      from generate_series(1, ${count}::int) as n returning id, email`);
    const people = rows.map(
      ({ id, email }): User => ({
        ...harness.user("dev").user,
        id,
        email,
        fullName: email.split("@")[0] as string,
      }),
    );
    tx.appendPatch({ users: { put: people } });
    return people;
  });
}
