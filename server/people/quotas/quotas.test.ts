import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { channels } from "../../channels/channel.ts";
import { sql } from "../../platform/db/sql.ts";

const PRODUCTION = { PARLEY_ENV: "production", PARLEY_SECRET: "a secret for the tests" };

let made = 0;
const subscribe = (harness: Harness, name: CastName, count: number, more = {}) => {
  const subscriptions = Array.from({ length: count }, () => ({ name: `made ${++made}` }));
  return harness.as(name).post("/users/me/subscriptions", { subscriptions, ...more });
};
const createChannel = (harness: Harness, name: CastName) =>
  harness.as(name).post("/channels/create", { name: `made ${++made}`, subscribers: [harness.user(name).id] });
const createGroup = (harness: Harness, name: CastName) =>
  harness.as(name).post("/user_groups/create", { name: `made ${++made}`, description: "", members: [] });

describe("on a production server", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await createHarness(PRODUCTION);
  });
  afterAll(() => harness?.close());

  test("a member makes at most 100 channels an hour, by all calls together", async () => {
    await expectSuccess(subscribe(harness, "dev", 60));
    await expectSuccess(subscribe(harness, "dev", 39));
    await expectSuccess(createChannel(harness, "dev"));
    const before = [...harness.state.get(channels).all()].length;
    for (const refused of [
      await createChannel(harness, "dev"),
      await subscribe(harness, "dev", 1),
      await harness.as("dev").patch("/users/me/subscriptions", { add: [{ name: "one more" }] }),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([429, "RATE_LIMIT_HIT"]);
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3500);
    }
    expect([...harness.state.get(channels).all()]).toHaveLength(before);
    // The limit is for new channels, and for this person.
    await expectSuccess(
      harness.as("dev").post("/users/me/subscriptions", { subscriptions: [{ name: "made 1" }] }),
    );
    await expectSuccess(createChannel(harness, "elin"));

    await harness.services.database.query(
      sql`update quota_usage set window_started_at = now() - interval '3601 seconds'`,
    );
    await expectSuccess(subscribe(harness, "dev", 100));
    expect((await subscribe(harness, "dev", 1)).status).toBe(429);
  });

  test("an hour that began while the clock was ahead is over", async () => {
    const begin = (secondsAhead: number) =>
      harness.services.database.query(sql`
        update quota_usage set window_started_at = now() + make_interval(secs => ${secondsAhead})`);
    // A transaction that began a little later may have begun the hour.
    await begin(5);
    expect((await subscribe(harness, "dev", 1)).status).toBe(429);
    await begin(86_400);
    await expectSuccess(subscribe(harness, "dev", 1));
  });

  test("a call that fails uses nothing, and more than an hour has room for is a bad request", async () => {
    const all = { subscriptions: [{ name: "x".repeat(61) }, { name: "short" }] };
    for (let each = 0; each < 3; each++) {
      expect((await harness.as("cleo").post("/users/me/subscriptions", all)).status).toBe(400);
    }
    expect(await refusal(subscribe(harness, "cleo", 101))).toBe(
      "One person can make at most 100 channels an hour.",
    );
    await expectSuccess(subscribe(harness, "cleo", 100));
  });

  test("a bot uses its owner's quota, and administrators can set up an organization by a script", async () => {
    await expectSuccess(subscribe(harness, "echo", 90));
    await expectSuccess(subscribe(harness, "ben", 30));
    const used = await harness.services.database.query(
      sql`select used from quota_usage where user_id = ${harness.user("ben").id}`,
    );
    expect(used).toEqual([{ used: 120 }]);
  });

  test("a member makes at most 50 groups an hour", async () => {
    for (let each = 0; each < 50; each++) await expectSuccess(createGroup(harness, "elin"));
    expect((await createGroup(harness, "elin")).status).toBe(429);
    await expectSuccess(createGroup(harness, "dev"));
  });
});

test("a development server has higher limits for everybody", async () => {
  const harness = await createHarness();
  try {
    await expectSuccess(subscribe(harness, "dev", 101));
  } finally {
    await harness.close();
  }
});

test("without rate limits nothing is counted", async () => {
  const harness = await createHarness({ ...PRODUCTION, PARLEY_RATE_LIMITS: "off" });
  try {
    await expectSuccess(subscribe(harness, "dev", 101));
    expect(await harness.services.database.query(sql`select 1 from quota_usage`)).toEqual([]);
  } finally {
    await harness.close();
  }
});
