import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_TOPIC_POLICIES } from "../../../api/limits.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";

let harness: Harness;
let channelId: number;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_ENV: "production", PARLEY_SECRET: "a secret for the tests" });
  channelId = (await harness.channel("kitchen", ["ada", "dev", "elin"])).id;
});
afterAll(() => harness?.close());

const choose = (name: CastName, topic: string, policy: number) =>
  harness.as(name).post("/user_topics", { stream_id: channelId, topic, visibility_policy: policy });

const countTopics = async () =>
  (await harness.services.database.query(sql`select 1 from topics where channel_id = ${channelId}`)).length;

test("a person has policies for at most 10,000 topics, and can change and remove those", async () => {
  const { organizationId } = harness.state;
  await harness.services.database.query(sql`
    with made as (
      insert into topics (organization_id, channel_id, name)
      select ${organizationId}, ${channelId}, 'topic ' || n from generate_series(1, ${MAX_TOPIC_POLICIES}::int) n
      returning id
    )
    insert into topic_policies (organization_id, user_id, topic_id, policy)
    select ${organizationId}, ${harness.user("elin").id}, id, 1 from made`);
  expect(await refusal(choose("elin", "one more", 1))).toBe(
    "You can mute, unmute or follow at most 10000 topics.",
  );
  await expectSuccess(choose("elin", "topic 7", 3));
  await expectSuccess(choose("elin", "topic 7", 0));
  await expectSuccess(choose("elin", "one more", 1));
  await expectSuccess(choose("dev", "another", 1));
});

test("a person names at most 200 topics an hour that have no message", async () => {
  await harness.services.database.query(sql`
    insert into quota_usage (organization_id, user_id, quota, used)
    values (${harness.state.organizationId}, ${harness.user("ben").id}, 'topics', 4999),
      (${harness.state.organizationId}, ${harness.user("cleo").id}, 'topics', 199)`);
  for (const name of ["ben", "cleo"] as const) {
    await expectSuccess(choose(name, `the last of ${name}`, 1));
    const before = await countTopics();
    expect((await choose(name, `too many of ${name}`, 1)).status).toBe(429);
    expect(await countTopics()).toBe(before);
    // A topic that is there costs nothing, and a policy can be taken back.
    await expectSuccess(choose(name, "topic 1", 2));
    await expectSuccess(choose(name, `the last of ${name}`, 0));
  }
});
