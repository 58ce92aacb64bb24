import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../test/harness/harness.ts";
import { deactivateUser } from "../people/actions.ts";
import { sql } from "../platform/db/sql.ts";
import { type Change, runStateChange } from "../platform/log/change.ts";
import { channels } from "./channel.ts";
import { subscribe, unsubscribe } from "./subscriptions/subscribe.ts";
import { subscribers } from "./subscriptions/subscribers.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const join = (name: "dev" | "elin", channel: string) =>
  harness.as(name).post("/users/me/subscriptions", { subscriptions: [{ name: channel }] });

/**
 * Runs a request that has to wait for a change to end. It is authenticated before the change is
 * committed.
 */
async function during<T>(change: (tx: Change) => Promise<unknown>, request: () => Promise<T>): Promise<T> {
  let answer: Promise<T> | undefined;
  await runStateChange(harness.state, async (tx) => {
    await change(tx);
    answer = request();
    // Its turn comes after this one. So by then it has done everything else and can only be waiting.
    await new Promise((resolve) => setImmediate(resolve));
  });
  return answer as Promise<T>;
}

test("a request changes nothing if its user is deactivated while it waits for its turn", async () => {
  const { status, body } = await during(
    (tx) => deactivateUser(tx, harness.user("elin").user),
    () => join("elin", "too late"),
  );
  expect([status, body.code]).toEqual([401, "UNAUTHORIZED"]);
  expect(harness.state.get(channels).findByName("too late")).toBeUndefined();
});

test("a request can't add people to a private channel that its user loses while it waits", async () => {
  const channel = await harness.channel("vault", ["dev"], { isPrivate: true });
  const { status, body } = await during(
    (tx) => unsubscribe(tx, [channel], [harness.user("dev").user]),
    () =>
      harness.as("dev").post("/users/me/subscriptions", {
        subscriptions: [{ name: "vault" }],
        principals: [harness.user("gus").id],
      }),
  );
  expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
  expect(harness.state.get(subscribers).of(channel.id).size).toBe(0);
});

test("a channel that several requests make at once is made once, and every caller is subscribed", async () => {
  const answers = await Promise.all([join("dev", "rush"), join("dev", "Rush"), join("dev", "RUSH")]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const made = answers.filter(({ body }) => Object.keys(body.subscribed).length > 0);
  expect(made).toHaveLength(1);
});

test("repeated subscribing and unsubscribing leaves one current subscription and every past interval", async () => {
  const channel = await harness.channel("door", []);
  const { user } = harness.user("dev");
  for (let turn = 0; turn < 3; turn++) {
    await runStateChange(harness.state, (tx) => subscribe(tx, [channel], [user]));
    await runStateChange(harness.state, (tx) => unsubscribe(tx, [channel], [user]));
  }
  await runStateChange(harness.state, (tx) => subscribe(tx, [channel], [user]));
  const rows = await harness.state.database.query<{ isCurrent: boolean }>(sql`
    select s.to_position_ref is null as "isCurrent" from subscriptions s
    join log_positions began on began.organization_id = s.organization_id and began.id = s.from_position_ref
    where s.organization_id = ${harness.state.organizationId} and s.channel_id = ${channel.id}
    order by began.position`);
  expect(rows.map(({ isCurrent }) => isCurrent)).toEqual([false, false, false, true]);
});
