import { beforeAll, describe, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { useAuditLog } from "../../../test/harness/audit-log.ts";
import type { Harness } from "../../../test/harness/harness.ts";
import { groups } from "../../groups/group.ts";
import { createUser, deactivateUser } from "../../people/actions.ts";
import { runStateChange } from "../../platform/log/change.ts";

const log = useAuditLog();
const { recorded, wholeTable } = log;
let harness: Harness;
beforeAll(() => {
  harness = log.harness;
});

const id = (name: Parameters<Harness["user"]>[0]) => harness.user(name).id;

describe("an entry says what was changed", () => {
  test("in the organization: each setting, in one entry", async () => {
    const { id: moderators } = harness.state.get(groups).system("moderators");
    const { id: members } = harness.state.get(groups).system("members");
    await expectSuccess(
      harness.as("ada").patch("/realm", {
        name: "Renamed",
        waiting_period_threshold: 3,
        can_create_groups: { new: moderators },
      }),
    );
    const changes = {
      name: { old: "Demo", new: "Renamed" },
      waiting_period_threshold: { old: 0, new: 3 },
      can_create_groups: { old: members, new: moderators },
    };
    expect(await recorded()).toEqual([[id("ada"), "organization_updated", null, changes]]);
  });

  test("in accounts", async () => {
    const faye = { email: "faye@demo.test", full_name: "Faye Lind", password: "a good start" };
    const { user_id } = await expectSuccess(harness.as("ben").post("/users", faye));
    await expectSuccess(
      harness.as("ben").patch(`/users/${user_id}`, { role: roles.moderator, full_name: "Faye L." }),
    );
    await expectSuccess(harness.as("ben").post(`/users/${user_id}/status`, { status_text: "Away" }));
    await expectSuccess(harness.as("ben").delete(`/users/${user_id}`));
    await expectSuccess(harness.as("ben").post(`/users/${user_id}/reactivate`));
    const ben = id("ben");
    const created = { full_name: { new: "Faye Lind" }, email: { new: faye.email }, role: { new: 400 } };
    expect(await recorded()).toEqual([
      [ben, "user_created", user_id, created],
      [ben, "user_role_changed", user_id, { role: { old: 400, new: 300 } }],
      [ben, "user_renamed", user_id, { full_name: { old: "Faye Lind", new: "Faye L." } }],
      [ben, "user_status_changed", user_id, { status_text: { old: "", new: "Away" } }],
      [ben, "user_deactivated", user_id, {}],
      [ben, "user_reactivated", user_id, {}],
    ]);
  });

  test("in a person's own account only its end, with the bots that end with it", async () => {
    const owner = await addPerson("Leaving");
    const bot = await addPerson("Helper", { botType: 1, botOwnerId: owner.id });
    await log.begin();
    await runStateChange(harness.state, (tx) => deactivateUser(tx, owner));
    await expectSuccess(harness.as("elin").patch("/settings", { twenty_four_hour_time: true }));
    await expectSuccess(harness.as("elin").post("/users/me/status", { status_text: "Here" }));
    expect(await recorded()).toEqual([[null, "user_deactivated", owner.id, { bot_ids: { old: [bot.id] } }]]);
  });

  test("in channels", async () => {
    const { id: channel } = await expectSuccess(
      harness.as("ada").post("/channels/create", { name: "plans", subscribers: [id("ada"), id("dev")] }),
    );
    await expectSuccess(
      harness.as("ada").patch(`/streams/${channel}`, { new_name: "Plans", is_private: true }),
    );
    await expectSuccess(harness.as("ada").delete(`/streams/${channel}`));
    await expectSuccess(harness.as("ada").patch(`/streams/${channel}`, { is_archived: false }));
    const ada = id("ada");
    const changes = {
      name: { old: "plans", new: "Plans" },
      is_private: { old: false, new: true },
      history_public_to_subscribers: { old: true, new: false },
    };
    expect(await recorded()).toEqual([
      [ada, "channel_created", channel, expect.objectContaining({ name: { new: "plans" } })],
      [ada, "subscribers_added", channel, { user_ids: { new: [id("dev")] } }],
      [ada, "channel_updated", channel, changes],
      [ada, "channel_archived", channel, { is_archived: { old: false, new: true } }],
      [ada, "channel_unarchived", channel, { is_archived: { old: true, new: false } }],
    ]);
  });

  test("in default channels, their groups and folders", async () => {
    const channel = await harness.channel("for all", []);
    const more = await harness.channel("for some", []);
    await log.begin();
    const as = harness.as("ben");
    await expectSuccess(as.post("/default_streams", { stream_id: channel.id }));
    await expectSuccess(as.delete("/default_streams", { stream_id: channel.id }));
    await expectSuccess(
      as.post("/default_stream_groups/create", { group_name: "joiners", description: "", stream_names: [] }),
    );
    const made = (await recorded()).at(-1)?.[2];
    await expectSuccess(
      as.patch(`/default_stream_groups/${made}/streams`, { op: "add", stream_names: ["for some"] }),
    );
    await expectSuccess(as.delete(`/default_stream_groups/${made}`));
    const first = (await expectSuccess(as.post("/channel_folders/create", { name: "One" })))
      .channel_folder_id;
    const second = (await expectSuccess(as.post("/channel_folders/create", { name: "Two" })))
      .channel_folder_id;
    await expectSuccess(as.patch("/channel_folders", { order: [second, first] }));
    await expectSuccess(as.patch(`/channel_folders/${first}`, { is_archived: true }));
    const ben = id("ben");
    expect(await recorded()).toEqual([
      [ben, "channel_updated", channel.id, { is_default_stream: { old: false, new: true } }],
      [ben, "channel_updated", channel.id, { is_default_stream: { old: true, new: false } }],
      [ben, "default_channel_group_created", made, expect.objectContaining({ name: { new: "joiners" } })],
      [ben, "default_channel_group_updated", made, { stream_ids: { new: [more.id] } }],
      [
        ben,
        "default_channel_group_removed",
        made,
        expect.objectContaining({ stream_ids: { old: [more.id] } }),
      ],
      [ben, "channel_folder_created", first, { name: { new: "One" }, description: { new: "" } }],
      [ben, "channel_folder_created", second, { name: { new: "Two" }, description: { new: "" } }],
      [ben, "channel_folders_reordered", null, { order: { old: [first, second], new: [second, first] } }],
      [ben, "channel_folder_updated", first, { is_archived: { old: false, new: true } }],
    ]);
  });

  test("in subscriptions of others: one entry for a call, and none for one's own", async () => {
    const [one, two] = [await harness.channel("one", ["dev"]), await harness.channel("two", [])];
    await log.begin();
    const subscriptions = [{ name: "one" }, { name: "two" }];
    await expectSuccess(harness.as("elin").post("/users/me/subscriptions", { subscriptions }));
    await expectSuccess(
      harness
        .as("ada")
        .post("/users/me/subscriptions", { subscriptions, principals: [id("dev"), id("ada")] }),
    );
    await expectSuccess(
      harness
        .as("ada")
        .delete("/users/me/subscriptions", { subscriptions: ["one"], principals: [id("dev")] }),
    );
    await expectSuccess(harness.as("elin").delete("/users/me/subscriptions", { subscriptions: ["one"] }));
    expect(one.id).toBeLessThan(two.id);
    expect(await recorded()).toEqual([
      [id("ada"), "subscribers_added", two.id, { user_ids: { new: [id("dev")] } }],
      [id("ada"), "subscribers_removed", one.id, { user_ids: { old: [id("dev")] } }],
    ]);
  });

  test("in user groups, and who is in them by another's decision", async () => {
    const as = harness.as("ada");
    const { id: members } = harness.state.get(groups).system("members");
    const { group_id: group } = await expectSuccess(
      as.post("/user_groups/create", { name: "cooks", description: "", members: [id("dev")] }),
    );
    await expectSuccess(as.patch(`/user_groups/${group}`, { can_join_group: { new: members } }));
    await expectSuccess(harness.as("elin").post(`/user_groups/${group}/members`, { add: [id("elin")] }));
    await expectSuccess(as.post(`/user_groups/${group}/members`, { delete: [id("elin")] }));
    await expectSuccess(as.post(`/user_groups/${group}/deactivate`));
    await expectSuccess(as.patch(`/user_groups/${group}`, { deactivated: false }));
    const ada = id("ada");
    expect(await recorded()).toEqual([
      [ada, "group_created", group, expect.objectContaining({ members: { new: [id("dev")] } })],
      [ada, "group_updated", group, { can_join_group: { old: expect.anything(), new: members } }],
      [ada, "group_members_changed", group, { members: { old: [id("elin")] } }],
      [ada, "group_deactivated", group, {}],
      [ada, "group_reactivated", group, {}],
    ]);
  });

  test("in a group that its manager joins without a right to join", async () => {
    const { group_id: group } = await expectSuccess(
      harness.as("ben").post("/user_groups/create", { name: "safe", description: "", members: [] }),
    );
    await expectSuccess(harness.as("ben").post(`/user_groups/${group}/members`, { add: [id("ben")] }));
    const entries = await recorded();
    const changes = { members: { new: [id("ben")] } };
    expect(entries.at(-1)).toEqual([id("ben"), "group_members_changed", group, changes]);
  });

  test("in messages: who deleted another's, where and how many, and never the text", async () => {
    const channel = await harness.channel("kitchen", ["ada", "dev"]);
    await log.begin();
    const say = (name: "ada" | "dev", content: string) => sayIn(() => harness)(name, "kitchen", { content });
    const [own, others] = [await say("dev", "Secret sauce"), await say("dev", "Secret soup")];
    const kept = await say("ada", "Secret salad");
    await expectSuccess(harness.as("ada").delete(`/messages/${others}`));
    await expectSuccess(harness.as("ada").delete(`/messages/${kept}`));
    await expectSuccess(
      harness.as("ada").post(`/streams/${channel.id}/delete_topic`, { topic_name: "lunch" }),
    );
    const place = { sender_id: { old: id("dev") }, stream_id: { old: channel.id } };
    expect(await recorded()).toEqual([
      [id("ada"), "message_deleted", others, place],
      [id("ada"), "topic_deleted", channel.id, { message_ids: { old: [own] } }],
    ]);
    expect(await wholeTable()).not.toContain("Secret");
  });
});

function addPerson(name: string, bot: { botType?: number; botOwnerId?: UserId } = {}) {
  return runStateChange(harness.state, (tx) =>
    createUser(tx, harness.services.keyring, {
      email: `${name.toLowerCase()}@demo.test`,
      fullName: `${name} Person`,
      role: roles.member,
      passwordHash: null,
      ...bot,
    }),
  );
}
