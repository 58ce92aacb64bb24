/** In what order changes that send, edit and choose take their locks, so that none waits for two others. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { userSettings } from "../../../api/people/user-settings.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { uploaded } from "../../../test/harness/uploads.ts";
import { untilWaiting } from "../../../test/harness/waiting.ts";
import { lockAccount } from "../../people/credentials.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { runContentChange } from "../../platform/log/change.ts";
import { send } from "./send.ts";

let harness: Harness;
let channelId: number;
beforeAll(async () => {
  harness = await createHarness();
  channelId = (await harness.channel("kitchen", ["ada", "dev", "gus"])).id;
});
afterAll(() => harness.close());

const say = (by: CastName, topic: string, content: string) =>
  send(harness.user(by).viewer, {
    to: { kind: "channel", channel: { name: "kitchen" }, topic },
    content,
    localEcho: null,
    readBySender: null,
  });

const choose = (name: CastName, topic: string, visibility_policy: number) =>
  expectSuccess(harness.as(name).post("/user_topics", { stream_id: channelId, topic, visibility_policy }));

async function holdUpload(tx: Pick<Transaction, "query">, url: string): Promise<void> {
  const path = url.slice("/user_uploads/".length);
  await tx.query(sql`select from uploads where path = ${path} for update`);
}

test("a message alone holds no policy while it waits for a file, as a group does not", async () => {
  const url = await uploaded(harness, "dev");
  const settings = { [userSettings.automaticallyUnmuteTopicsInMutedStreamsPolicy.name]: 2 };
  await expectSuccess(harness.as("dev").patch("/settings", settings));
  await choose("dev", "muted", 1);
  const mute = [{ stream_id: channelId, property: "is_muted", value: true }];
  await expectSuccess(
    harness.as("dev").post("/users/me/subscriptions/properties", { subscription_data: JSON.stringify(mute) }),
  );
  let sent: Promise<unknown> | undefined;
  await harness.state.database.transaction(async (tx) => {
    await holdUpload(tx, url);
    sent = say("dev", "muted", `[held](${url})`);
    await untilWaiting(harness.state.database, 1);
    await choose("dev", "muted", 3);
  });
  expect(await sent).toMatchObject({ newPolicy: undefined });
});

test("an edit that moves a topic holds no policy while it waits for a file", async () => {
  const url = await uploaded(harness, "ada");
  const { id } = await say("ada", "old", "to be moved");
  let edited: Promise<unknown> | undefined;
  await harness.state.database.transaction(async (tx) => {
    await holdUpload(tx, url);
    const content = `[held](${url})`;
    const changes = { content, topic: "new", propagate_mode: "change_all" };
    edited = expectSuccess(harness.as("ada").patch(`/messages/${id}`, changes));
    await untilWaiting(harness.state.database, 1);
    await choose("ada", "old", 2);
  });
  await edited;
});

test("somebody whose account is held follows a topic, and nobody waits", async () => {
  await runContentChange(harness.state, async (tx) => {
    await lockAccount(tx, harness.user("gus").id);
    await say("dev", "feast", "@**Gus Pike** comes");
  });
  expect(await policiesOf("gus")).toEqual([3]);
});

async function policiesOf(name: CastName): Promise<number[]> {
  const rows = await harness.state.database.query<{ policy: number }>(sql`
    select policy from topic_policies where user_id = ${harness.user(name).id}`);
  return rows.map(({ policy }) => policy);
}
