import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { errors } from "../../../api/errors.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { groups } from "../../groups/group.ts";
import { changeState } from "../../people/viewer/change.ts";
import { type Channel, channels } from "../channel.ts";
import type { ChannelChangeRequest } from "./request.ts";
import { updateChannel } from "./update.ts";

let harness: Harness;
let count = 0;
let fresh = "";
beforeAll(async () => {
  harness = await createHarness();
  await harness.as("ada").patch("/realm", { send_channel_events_messages: false });
});
afterAll(() => harness.close());
beforeEach(() => {
  fresh = `channel ${++count}`;
});

const change = (name: CastName, id: number, params: Record<string, unknown>) =>
  harness.as(name).patch(`/streams/${id}`, params);
const now = (id: number) => harness.state.get(channels).find(id) as Channel;
const system = (name: Parameters<ReturnType<typeof groupsOf>["system"]>[0]) => groupsOf().system(name).id;
const groupsOf = () => harness.state.get(groups);
const only = (...people: CastName[]) => ({
  direct_members: people.map((name) => harness.user(name).id),
  direct_subgroups: [],
});
const say = (name: CastName, to: number, topic: string) =>
  harness.as(name).post("/messages", { type: "channel", to, topic, content: "Soup today?" });

async function refused(
  name: CastName,
  id: number,
  params: Record<string, unknown>,
  code = "BAD_REQUEST",
): Promise<string> {
  const before = now(id);
  const { status, body } = await change(name, id, params);
  expect([status, body.code], JSON.stringify(params)).toEqual([400, code]);
  expect(now(id), "nothing changed").toBe(before);
  return body.msg;
}

async function accepted(name: CastName, id: number, params: Record<string, unknown>): Promise<Channel> {
  const { status, body } = await change(name, id, params);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.ignored_parameters_unsupported).toBeUndefined();
  return now(id);
}

describe("changing a channel", () => {
  test("is allowed to administrators of the organization and of the channel, and to nobody else", async () => {
    const { id } = await harness.channel(fresh, ["cleo", "dev", "gus"], {
      groupSettings: { can_administer_channel_group: only("dev") },
    });
    for (const name of ["ben", "dev"] as const) await accepted(name, id, { description: name });
    for (const name of ["cleo", "elin", "gus", "echo"] as const) {
      await refused(name, id, { description: name }, "CANNOT_ADMINISTER_CHANNEL");
    }
  });

  test("is refused to a guest, even if a permission group names them", async () => {
    const { id } = await harness.channel(fresh, ["gus"], {
      groupSettings: { can_administer_channel_group: only("gus") },
    });
    await refused("gus", id, { description: "mine" }, "CANNOT_ADMINISTER_CHANNEL");
  });

  test("treats a channel that the caller may not know of as missing", async () => {
    const { id } = await harness.channel(fresh, ["ada"], { isPrivate: true });
    for (const name of ["dev", "gus"] as const) {
      expect(await refused(name, id, { description: "hello" })).toBe("Invalid channel ID");
    }
    const { body } = await change("zed", id, { description: "hello" });
    expect(body.msg).toBe("Invalid channel ID");
    expect((await change("ada", 99999, { description: "hello" })).body.msg).toBe("Invalid channel ID");
  });

  test("changes everything or nothing", async () => {
    const { id } = await harness.channel(fresh, ["ada"]);
    await refused("ben", id, { description: "new", new_name: `${fresh} x`, folder_id: 99999 });
    await refused("ben", id, { description: "new", message_retention_days: 3 }, "UNAUTHORIZED_PRINCIPAL");
  });
});

describe("the name and the description", () => {
  test("a name is trimmed, and a new name may differ only in case", async () => {
    const { id } = await harness.channel(fresh, []);
    expect((await accepted("ben", id, { new_name: `  ${fresh.toUpperCase()} ` })).name).toBe(
      fresh.toUpperCase(),
    );
    expect(harness.state.get(channels).findByName(fresh)?.id).toBe(id);
  });

  test("the old name is free afterwards, and the new one finds the channel", async () => {
    const { id } = await harness.channel(fresh, ["dev"]);
    await accepted("ben", id, { new_name: `${fresh} new` });
    expect(harness.state.get(channels).findByName(fresh)).toBeUndefined();
    const { status } = await harness
      .as("dev")
      .post("/messages", { type: "channel", to: `${fresh} new`, topic: "x", content: "y" });
    expect(status).toBe(200);
    await harness.channel(fresh, []);
  });

  test.each([
    ["", "empty"],
    ["x".repeat(61), "too long"],
    ["tab\there", "with an unprintable character"],
  ])("a name can't be %j: %s", async (name) => {
    const { id } = await harness.channel(fresh, []);
    await refused("ben", id, { new_name: name });
  });

  test("a name is refused if it is the present one or another channel has it, archived channels too", async () => {
    const { id } = await harness.channel(fresh, []);
    expect(await refused("ben", id, { new_name: fresh })).toBe("Channel already has that name!");
    const other = await harness.channel(`${fresh} other`, []);
    const text = await refused("ben", id, { new_name: `${fresh} OTHER` });
    expect(text).toBe(`Channel name '${fresh} OTHER' is already taken.`);
    await harness.as("ben").delete(`/streams/${other.id}`);
    await refused("ben", id, { new_name: `${fresh} other` });
  });

  test("a description is one line of at most 1,024 characters", async () => {
    const { id } = await harness.channel(fresh, []);
    const { description, renderedDescription } = await accepted("ben", id, { description: "one\ntwo *x*" });
    expect(description).toBe("one two *x*");
    expect(renderedDescription).toBe("<p>one two <em>x</em></p>");
    await refused("ben", id, { description: "x".repeat(1025) });
  });
});

describe("the privacy of a channel", () => {
  test("a public channel always shares its history, and a private one is not read without an account", async () => {
    const { id } = await harness.channel(fresh, ["ada"]);
    await refused("ada", id, { history_public_to_subscribers: false });
    await refused("ada", id, { is_private: true, is_web_public: true });
    await accepted("ada", id, { is_private: true, history_public_to_subscribers: true });
    expect(now(id)).toMatchObject({ isPrivate: true, isHistoryShared: true });
    await refused("ada", id, { is_web_public: true });
    await refused("ada", id, { is_private: false, history_public_to_subscribers: false });
  });

  test("a channel made private stops sharing its history, and shares it again once public", async () => {
    const { id } = await harness.channel(fresh, ["ada"]);
    expect(await accepted("ada", id, { is_private: true })).toMatchObject({ isHistoryShared: false });
    expect(await accepted("ada", id, { is_private: true })).toMatchObject({ isHistoryShared: false });
    expect(await accepted("ada", id, { is_private: false })).toMatchObject({ isHistoryShared: true });
  });

  test("an administrator of a private channel must be able to read it to change who has access to it", async () => {
    const { id } = await harness.channel(fresh, ["dev"], { isPrivate: true });
    for (const params of [
      { is_private: false },
      { history_public_to_subscribers: true },
      { can_send_message_group: { new: system("moderators") } },
      { can_add_subscribers_group: { new: only("ben") } },
      { can_administer_channel_group: { new: only("ben") } },
    ]) {
      await refused("ben", id, params);
    }
    await accepted("ben", id, { description: "not about that", new_name: `${fresh} too` });
    await accepted("ada", id, { can_send_message_group: { new: system("everyone") } });
    const groupSettings = { can_subscribe_group: only("ben") };
    const open = await harness.channel(`${fresh} open`, ["dev"], { isPrivate: true, groupSettings });
    await accepted("ben", open.id, { can_send_message_group: { new: system("moderators") } });
    await accepted("ben", open.id, { is_private: false });
  });

  test("changing it requires the permission to create a channel of the new kind", async () => {
    const groupSettings = { can_administer_channel_group: only("dev") };
    const { id } = await harness.channel(fresh, ["dev"], { groupSettings });
    for (const [setting, isPrivate] of [
      ["can_create_private_channel_group", true],
      ["can_create_public_channel_group", false],
    ] as const) {
      await harness.as("ada").patch("/realm", { [setting]: { new: system("administrators") } });
      await refused("dev", id, { is_private: isPrivate });
      await harness.as("ada").patch("/realm", { [setting]: { new: system("members") } });
      await accepted("dev", id, { is_private: isPrivate });
    }
  });

  test("web-public requires the server's setting, the organization's setting and the permission", async () => {
    const groupSettings = { can_administer_channel_group: only("dev") };
    const { id } = await harness.channel(fresh, ["dev"], { groupSettings });
    expect(await refused("ada", id, { is_web_public: true })).toBe("Web-public channels are not enabled.");
    await harness.as("ada").patch("/realm", { enable_spectator_access: true });
    expect(await refused("dev", id, { is_web_public: true })).toBe("Insufficient permission");
    await refused("ben", id, { is_web_public: true });
    expect(await accepted("ada", id, { is_web_public: true })).toMatchObject({ isWebPublic: true });
    await refused("ada", id, { is_private: true });
    await accepted("ada", id, { is_private: true, is_web_public: false });
    await harness.as("ada").patch("/realm", { enable_spectator_access: false });
  });

  test("web-public is refused on a server that has it turned off", async () => {
    const other = await createHarness({ PARLEY_WEB_PUBLIC_STREAMS: "off" });
    const { id } = await other.channel("square", ["ada"]);
    await other.as("ada").patch("/realm", { enable_spectator_access: true });
    const { status, body } = await other.as("ada").patch(`/streams/${id}`, { is_web_public: true });
    expect([status, body.msg]).toEqual([400, "Web-public channels are not enabled."]);
    await other.close();
  });

  test("a channel made private sends no more messages to all-public listeners", async () => {
    const { id } = await harness.channel(fresh, ["ada", "dev"]);
    const queue = async (name: CastName) => {
      const { body } = await harness
        .as(name)
        .post("/register", { event_types: ["message"], all_public_streams: true });
      return body.queue_id as string;
    };
    const heardBy = async (name: CastName, queue_id: string) => {
      await harness.state.catchUp();
      const params = { queue_id, last_event_id: -1, dont_block: true };
      return (await harness.as(name).get("/events", params)).body.events.length;
    };
    const [outside, inside] = [await queue("elin"), await queue("dev")];
    await say("ada", id, "lunch");
    expect(await heardBy("elin", outside)).toBe(1);
    await accepted("ada", id, { is_private: true });
    await say("ada", id, "lunch");
    expect(await heardBy("elin", outside)).toBe(1);
    expect(await heardBy("dev", inside)).toBe(2);
    await accepted("ada", id, { is_private: false });
    await say("ada", id, "lunch");
    expect(await heardBy("elin", outside)).toBe(2);
  });

  test("a channel made private is hidden from non-subscribers and stays open to subscribers", async () => {
    const { id } = await harness.channel(fresh, ["dev", "gus"]);
    const { body } = await say("dev", id, "lunch");
    const read = (name: CastName) => harness.as(name).get(`/messages/${body.id}`);
    expect((await read("elin")).status).toBe(200);
    await accepted("ada", id, { is_private: true });
    expect((await read("elin")).status).toBe(400);
    expect((await say("elin", id, "lunch")).status).toBe(400);
    for (const name of ["dev", "gus"] as const) expect((await read(name)).status, name).toBe(200);
  });
});

describe("default channels", () => {
  test("only administrators of the organization set and unset them", async () => {
    const groupSettings = { can_administer_channel_group: only("dev") };
    const { id } = await harness.channel(fresh, ["dev"], { groupSettings });
    await refused("dev", id, { is_default_stream: true }, "UNAUTHORIZED_PRINCIPAL");
    expect(await accepted("ben", id, { is_default_stream: true })).toMatchObject({ isDefault: true });
    await accepted("dev", id, { is_default_stream: true, description: "as it is" });
    expect(await accepted("ben", id, { is_default_stream: false })).toMatchObject({ isDefault: false });
  });

  test("can't be private or archived", async () => {
    const { id } = await harness.channel(fresh, ["ada"], { isDefault: true });
    await refused("ada", id, { is_private: true });
    await accepted("ada", id, { is_private: true, is_default_stream: false });
    await refused("ada", id, { is_default_stream: true });
    await accepted("ada", id, { is_private: false, is_default_stream: true });
    await harness.as("ada").delete(`/streams/${id}`);
    expect(now(id).isDefault).toBe(false);
    await refused("ada", id, { is_default_stream: true });
    await accepted("ada", id, { is_archived: false, is_default_stream: true });
  });
});

describe("how long messages are kept", () => {
  test("is set only by owners", async () => {
    const { id } = await harness.channel(fresh, ["ada"]);
    await refused("ben", id, { message_retention_days: 30 }, "UNAUTHORIZED_PRINCIPAL");
    for (const [given, stored] of [
      [30, 30],
      ["unlimited", -1],
      ["realm_default", null],
    ]) {
      const channel = await accepted("ada", id, { message_retention_days: given });
      expect(channel.messageRetentionDays).toBe(stored);
    }
    for (const given of [0, -1, 1.5, "forever", "", null]) {
      const { status } = await change("ada", id, { message_retention_days: given });
      // A null is not a value, so nothing was asked for.
      expect(status, String(given)).toBe(given === null ? 200 : 400);
    }
  });
});

describe("folders of channels", () => {
  test("a channel can be put into a folder that is not archived, and taken out", async () => {
    const { id } = await harness.channel(fresh, []);
    const { body } = await harness.as("ada").post("/channel_folders/create", { name: fresh });
    const folder_id = body.channel_folder_id;
    expect(await accepted("ben", id, { folder_id })).toMatchObject({ folderId: folder_id });
    expect(await accepted("ben", id, { folder_id: null })).toMatchObject({ folderId: null });
    await harness.as("ada").patch(`/channel_folders/${folder_id}`, { is_archived: true });
    await refused("ben", id, { folder_id });
    await refused("ben", id, { folder_id: 99999 });
  });
});

const onlyEmptyTopics: ChannelChangeRequest = {
  name: undefined,
  description: undefined,
  isPrivate: undefined,
  isWebPublic: undefined,
  hasWebPublic: true,
  isHistoryShared: undefined,
  isDefault: undefined,
  messageRetentionDays: undefined,
  isArchived: undefined,
  folderId: undefined,
  topicsPolicy: "empty_topic_only",
  permission: () => undefined,
};

describe("the topics policy", () => {
  test("is set by people whom the organization's permission names", async () => {
    const groupSettings = { can_administer_channel_group: only("dev") };
    const { id } = await harness.channel(fresh, ["dev"], { groupSettings });
    await harness
      .as("ada")
      .patch("/realm", { can_set_topics_policy_group: { new: system("administrators") } });
    await refused("dev", id, { topics_policy: "disable_empty_topic" });
    await accepted("dev", id, { topics_policy: "inherit", description: "as it is" });
    await accepted("ben", id, { topics_policy: "disable_empty_topic" });
    await harness.as("ada").patch("/realm", { can_set_topics_policy_group: { new: system("members") } });
    await accepted("dev", id, { topics_policy: "allow_empty_topic" });
  });

  test("allows only the empty topic if every message is in it already", async () => {
    const { id } = await harness.channel(fresh, ["dev"]);
    await say("dev", id, "");
    await accepted("ada", id, { topics_policy: "empty_topic_only" });
    expect((await say("dev", id, "lunch")).status).toBe(400);
    await accepted("ada", id, { topics_policy: "inherit" });
    await say("dev", id, "lunch");
    await refused("ada", id, { topics_policy: "empty_topic_only", description: "and all in vain" });
  });

  test("applies to every message, also to a message sent while the policy is being set", async () => {
    const { id } = await harness.channel(fresh, ["dev"]);
    const change = changeState(harness.user("ada").viewer, async (tx) => {
      await updateChannel(tx, id, onlyEmptyTopics);
      expect((await say("dev", id, "lunch")).status).toBe(200);
    });
    await expect(change).rejects.toMatchObject({ declaration: errors.channelHasNamedTopics });
    expect(now(id).topicsPolicy).toBe("inherit");
    expect((await say("dev", id, "lunch")).status).toBe(200);
  });
});

describe("permissions of a channel", () => {
  test("change only if the old value in the request is still current", async () => {
    const { id } = await harness.channel(fresh, ["ada"]);
    const params = (old: unknown) => ({ can_send_message_group: { new: system("moderators"), old } });
    await refused("ada", id, params(system("administrators")), "EXPECTATION_MISMATCH");
    await accepted("ada", id, params(system("everyone")));
    expect(now(id).groupSettings.can_send_message_group).toBe(system("moderators"));
  });

  test("name groups and people that exist", async () => {
    const { id } = await harness.channel(fresh, ["ada"]);
    await refused("ada", id, { can_send_message_group: { new: 99999 } });
    await refused("ada", id, { can_send_message_group: { new: only("zed") } });
    await refused("ada", id, { can_administer_channel_group: { new: system("everyone") } });
    await refused("ada", id, { can_send_message_group: { new: system("internet") } });
  });

  test("to delete messages are set by people whom the organization's permission names", async () => {
    const groupSettings = { can_administer_channel_group: only("dev") };
    const { id } = await harness.channel(fresh, ["dev"], { groupSettings });
    for (const name of ["can_delete_any_message_group", "can_delete_own_message_group"]) {
      await refused("dev", id, { [name]: { new: system("moderators") } });
      await accepted("dev", id, { [name]: { new: system("nobody") }, description: "as it is" });
      await accepted("ben", id, { [name]: { new: system("moderators") } });
    }
    const allow = (group: number) =>
      harness.as("ada").patch("/realm", { can_set_delete_message_policy_group: { new: group } });
    await allow(system("members"));
    await accepted("dev", id, { can_delete_any_message_group: { new: system("administrators") } });
    await allow(system("moderators"));
    await refused("dev", id, { can_delete_any_message_group: { new: system("nobody") } });
  });

  test("apply at once", async () => {
    const { id } = await harness.channel(fresh, ["dev", "cleo"]);
    expect((await say("dev", id, "lunch")).status).toBe(200);
    await accepted("ada", id, { can_send_message_group: { new: system("moderators") } });
    expect((await say("dev", id, "lunch")).status).toBe(400);
    expect((await say("cleo", id, "lunch")).status).toBe(200);
    await accepted("ada", id, { can_administer_channel_group: { new: only("dev") } });
    await accepted("dev", id, { can_send_message_group: { new: system("everyone") } });
    expect((await say("dev", id, "lunch")).status).toBe(200);
  });
});

test("other nodes learn of a change from the log", async () => {
  const { id } = await harness.channel(fresh, ["dev"]);
  await accepted("ada", id, { new_name: `${fresh} renamed`, is_private: true });
  const { body } = await harness.as("dev").get(`/streams/${id}`);
  expect(body.stream).toMatchObject({ name: `${fresh} renamed`, invite_only: true });
});
