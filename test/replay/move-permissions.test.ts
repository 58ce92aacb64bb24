import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../server/platform/db/sql.ts";
import { editIn, expectSuccess, refusal, sayIn, showIn } from "../harness/answers.ts";
import { eventNames, everybody, followAll } from "../harness/follow.ts";
import { createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
let kitchen: number;
let pantry: number;
let leads: number;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = (await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"])).id;
  pantry = (await harness.channel("pantry", ["ada", "dev", "elin"])).id;
  leads = (await harness.channel("leads", ["ada", "ben"], { isPrivate: true })).id;
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const edit = editIn(() => harness);
const show = showIn(() => harness);
const allow = (settings: Record<string, unknown>) =>
  expectSuccess(harness.as("ada").patch("/realm", settings));
const idOf = async (group: string) => {
  const { body } = await harness.as("ada").get("/user_groups");
  return body.user_groups.find(({ name }: { name: string }) => name === group).id;
};
const age = (id: number, interval: string) =>
  harness.state.database.query(
    sql`update messages set sent_at = now() - ${interval}::interval where id = ${id}`,
  );

describe("moving to another topic", () => {
  test("requires a permission, and resolving requires another one", async () => {
    const id = await say("ada", "kitchen", { topic: "fridge" });
    await allow({ can_move_messages_between_topics_group: { new: await idOf("role:moderators") } });
    expect(await refusal(edit("dev", id, { topic: "freezer" }))).toBe(
      "You don't have permission to move this message",
    );
    const heard = await followAll(harness, everybody, () =>
      expectSuccess(edit("dev", id, { topic: "✔ fridge", propagate_mode: "change_all" })),
    );
    expect(eventNames(heard.ben)).toContain("message");
    expect(await show("ben", id)).not.toHaveProperty("last_moved_timestamp");
    await allow({ can_resolve_topics_group: { new: await idOf("role:moderators") } });
    expect(await refusal(edit("dev", id, { topic: "fridge", propagate_mode: "change_all" }))).toBe(
      "You don't have permission to resolve topics.",
    );
    for (const name of ["can_resolve_topics_group", "can_move_messages_between_topics_group"]) {
      await allow({ [name]: { new: await idOf("role:everyone") } });
    }
  });

  test("has a time limit, except for moderators", async () => {
    const ids: number[] = [];
    for (let n = 0; n < 3; n++) ids.push(await say("dev", "kitchen", { topic: "old and new" }));
    await age(ids[0] as number, "8 days");
    expect(await refusal(edit("dev", ids[0] as number, { topic: "x" }))).toBe(
      "The time limit for moving this message has passed",
    );
    const all = { topic: "x", propagate_mode: "change_all" };
    expect(await edit("dev", ids[2] as number, all)).toMatchObject({
      status: 400,
      body: {
        code: "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
        first_message_id_allowed_to_move: ids[1],
        total_messages_in_topic: 3,
        total_messages_allowed_to_move: 2,
      },
    });
    await expectSuccess(edit("cleo", ids[2] as number, { ...all, stream_id: kitchen }));
  });

  test("has no time limit if it resolves the topic", async () => {
    const id = await say("dev", "kitchen", { topic: "settled" });
    await age(id, "8 days");
    expect(await refusal(edit("dev", id, { topic: "unsettled" }))).toBe(
      "The time limit for moving this message has passed",
    );
    await expectSuccess(edit("dev", id, { topic: "✔ settled", propagate_mode: "change_all" }));
  });
});

describe("moving to another channel", () => {
  test("requires permission to move, permission to post there, and a visible channel", async () => {
    const id = await say("dev", "kitchen", { topic: "pots" });
    expect(await refusal(edit("dev", id, { stream_id: leads }))).toBe("Invalid channel ID");
    expect(await refusal(edit("dev", id, { stream_id: 99_999 }))).toBe("Invalid channel ID");
    await allow({ can_move_messages_between_channels_group: { new: await idOf("role:moderators") } });
    expect(await refusal(edit("dev", id, { stream_id: pantry }))).toBe(
      "You don't have permission to move this message",
    );
    const closed = await harness.channel("closed", ["ada"], {
      groupSettings: { can_send_message_group: await idOf("role:owners") },
    });
    expect(await refusal(edit("cleo", id, { stream_id: closed.id }))).toBe(
      "You do not have permission to post in this channel.",
    );
    await expectSuccess(edit("cleo", id, { stream_id: pantry }));
  });
});

describe("time limits for moving", () => {
  const limit = (within: unknown, between: unknown) =>
    allow({
      move_messages_within_stream_limit_seconds: within,
      move_messages_between_streams_limit_seconds: between,
    });
  const tooLate = "The time limit for moving this message has passed";
  let id: number;
  beforeEach(async () => {
    await allow({ can_move_messages_between_channels_group: { new: await idOf("role:members") } });
    id = await say("dev", "kitchen", { topic: `limits ${Math.random()}` });
    await age(id, "2 hours");
  });
  afterAll(() => limit(604_800, 604_800));

  test("are separate for moves between topics and moves between channels", async () => {
    await limit("unlimited", 3600);
    expect(await refusal(edit("dev", id, { stream_id: pantry }))).toBe(tooLate);
    await expectSuccess(edit("dev", id, { topic: "in the same channel" }));
    await limit(3600, "unlimited");
    expect(await refusal(edit("dev", id, { topic: "elsewhere" }))).toBe(tooLate);
    await expectSuccess(edit("dev", id, { stream_id: pantry }));
  });

  test("apply both to a move that changes channel and topic", async () => {
    const both = { stream_id: pantry, topic: "elsewhere" };
    await limit(86_400, 3600);
    expect(await refusal(edit("dev", id, both))).toBe(tooLate);
    await limit(3600, 86_400);
    expect(await refusal(edit("dev", id, both))).toBe(tooLate);
    await limit(86_400, 86_400);
    await expectSuccess(edit("dev", id, both));
  });
});

describe("where only moderators may move messages", () => {
  const rules = [
    "can_move_messages_between_topics_group",
    "can_move_messages_between_channels_group",
    "can_resolve_topics_group",
  ];
  const allowTo = async (group: string, names = rules) => {
    for (const name of names) await allow({ [name]: { new: await idOf(group) } });
  };
  beforeEach(() => allowTo("role:moderators"));
  afterAll(() => allowTo("role:members"));

  test.each([
    ["can_move_messages_within_channel_group", () => ({ topic: "dinner" })],
    ["can_move_messages_out_of_channel_group", () => ({ stream_id: pantry })],
    ["can_resolve_topics_group", () => ({ topic: "✔ lunch" })],
  ])("people whom a channel's own %s names may, too", async (setting, place) => {
    const { id: study } = await harness.channel(`study ${setting}`, ["ada", "dev", "elin"]);
    const id = await say("dev", study);
    expect((await edit("dev", id, place())).status).toBe(400);
    const group = { direct_members: [harness.user("dev").id], direct_subgroups: [] };
    await expectSuccess(harness.as("ada").patch(`/streams/${study}`, { [setting]: { new: group } }));
    expect((await edit("elin", id, place())).status).toBe(400);
    await expectSuccess(edit("dev", id, place()));
  });

  test("permission to move them to another channel does not allow renaming their topic", async () => {
    await allowTo("role:members", ["can_move_messages_between_channels_group"]);
    const id = await say("dev", "kitchen", { topic: "on the way" });
    expect(await refusal(edit("dev", id, { stream_id: pantry, topic: "renamed" }))).toBe(
      "You don't have permission to move this message",
    );
    await expectSuccess(edit("dev", id, { stream_id: pantry }));
  });
});
