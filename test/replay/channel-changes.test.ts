import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { channelPermissionList } from "../../api/channels/channel-permissions.ts";
import { groups } from "../../server/groups/group.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, expectSilence, followAll, forms } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await setNotices(false);
});
afterAll(() => harness.close());

/** Clients with and without the capability for archived channels. */
const kinds = { forms: [forms.modern, { ...forms.plain, include_subscribers: true }] };

/** An owner, an administrator, members inside and outside, a guest, and the owner of another organization. */
const viewers: readonly CastName[] = ["ada", "ben", "dev", "elin", "gus", "zed"];
const everyone = (verb: () => Promise<unknown>) => followAll(harness, viewers, verb, kinds);

/** Whether the notification bot announces changes in the channel itself. */
const setNotices = (isOn: boolean) =>
  expectSuccess(harness.as("ada").patch("/realm", { send_channel_events_messages: isOn }));
const change = (id: number, params: Record<string, unknown>, name: CastName = "ada") =>
  expectSuccess(harness.as(name).patch(`/streams/${id}`, params));
const archive = (id: number, name: CastName = "ada") =>
  expectSuccess(harness.as(name).delete(`/streams/${id}`));
const say = (name: CastName, to: number, topic = "lunch") =>
  expectSuccess(harness.as(name).post("/messages", { type: "channel", to, topic, content: "Soup today?" }));
const properties = (events: readonly Record<string, unknown>[] | undefined) =>
  (events ?? []).filter(({ op }) => op === "update").map(({ property }) => property);
const system = (name: "owners" | "administrators" | "moderators" | "members" | "everyone") =>
  harness.state.get(groups).system(name).id;

describe("changing a channel", () => {
  const cast: CastName[] = ["ada", "dev", "gus", "echo"];

  test("gives the channel and its messages the new name", async () => {
    const { id } = await harness.channel("kitchen", cast);
    await say("dev", id);
    const heard = await everyone(() => change(id, { new_name: "Kitchen" }));
    expect(heard.gus).toMatchObject([{ property: "name", name: "kitchen", value: "Kitchen", stream_id: id }]);
    await everyone(() => change(id, { new_name: "cantina" }));
    await everyone(() => say("dev", id));
  });

  test("sends a new description as Markdown and as HTML", async () => {
    const { id } = await harness.channel("garden", cast);
    const heard = await everyone(() => change(id, { description: "For\n*green* things" }));
    expect(heard.dev).toMatchObject([
      {
        property: "description",
        value: "For *green* things",
        rendered_description: "<p>For <em>green</em> things</p>",
      },
    ]);
  });

  test("sends an event for each property, and events after the new name carry that name", async () => {
    const { id } = await harness.channel("shed", cast);
    const { body } = await harness.as("ada").post("/channel_folders/create", { name: "Outside" });
    const params = {
      new_name: "tool shed",
      description: "Tools",
      folder_id: body.channel_folder_id,
      topics_policy: "disable_empty_topic",
      message_retention_days: 30,
      is_default_stream: true,
    };
    const heard = await everyone(() => change(id, params));
    expect(heard.dev?.filter(({ type }) => type === "stream")).toMatchObject([
      { property: "name", name: "shed" },
      { property: "description", name: "tool shed" },
      { property: "message_retention_days", value: 30 },
      { property: "folder_id", value: body.channel_folder_id },
      { property: "topics_policy", value: "disable_empty_topic" },
    ]);
    expect(eventNames(heard.dev)).toContain("default_streams");
    expect(eventNames(heard.gus)).not.toContain("default_streams");
    await everyone(() =>
      change(id, { folder_id: null, message_retention_days: "realm_default", is_default_stream: false }),
    );
  });

  test("works for every permission", async () => {
    const { id } = await harness.channel("permissions", cast);
    const all = channelPermissionList.map(({ name }) => [name, { new: system("moderators") }]);
    const heard = await everyone(() => change(id, Object.fromEntries(all)));
    for (const { name } of channelPermissionList) expect(properties(heard.dev)).toContain(name);
    const few = { direct_members: [harness.user("dev").id], direct_subgroups: [system("owners")] };
    await everyone(() =>
      change(id, {
        can_send_message_group: { new: few, old: system("moderators") },
        can_resolve_topics_group: { new: few },
      }),
    );
  });

  test("sends older clients a new posting policy as a number too, if the number changes", async () => {
    const { id } = await harness.channel("posts", cast);
    const heard = await everyone(() =>
      change(id, { can_send_message_group: { new: system("administrators") } }),
    );
    expect(properties(heard.dev)).toEqual([
      "can_send_message_group",
      "stream_post_policy",
      "is_announcement_only",
    ]);
    const few = { direct_members: [harness.user("dev").id], direct_subgroups: [system("owners")] };
    await change(id, { can_send_message_group: { new: few } });
    const again = await everyone(() => change(id, { can_send_message_group: { new: system("everyone") } }));
    expect(properties(again.dev)).toEqual(["can_send_message_group"]);
  });

  test("sends nothing if every value stays the same", async () => {
    const { id } = await harness.channel("same", cast, { description: "Same" });
    const heard = await everyone(() =>
      change(id, {
        description: " Same",
        is_private: false,
        topics_policy: "inherit",
        folder_id: null,
        message_retention_days: "realm_default",
        can_send_message_group: { new: system("everyone") },
      }),
    );
    for (const name of viewers) expect(heard[name], name).toEqual([]);
  });

  test("sends nothing to people who may not know of the channel", async () => {
    const { id } = await harness.channel("closed", ["ada", "dev", "gus"], { isPrivate: true });
    await expectSilence(harness, { hears: "gus", silent: ["cleo", "elin", "echo", "zed"] }, () =>
      change(id, { new_name: "closed to many", description: "Quiet" }),
    );
  });
});

describe("access to a channel", () => {
  const cast: CastName[] = ["ada", "dev", "gus"];

  test("a channel that is made private disappears for others, and keeps its subscribers", async () => {
    const { id } = await harness.channel("public once", cast);
    await say("dev", id);
    const heard = await everyone(() => change(id, { is_private: true }));
    expect(eventNames(heard.elin)).toEqual(["stream/delete"]);
    expect(heard.gus).toMatchObject([
      {
        property: "invite_only",
        value: true,
        history_public_to_subscribers: false,
        is_web_public: false,
      },
    ]);
    await expectSilence(harness, { hears: "dev", silent: ["elin", "cleo"] }, () => say("ada", id));
  });

  test("a channel that is made public is sent to everyone, with its subscribers", async () => {
    const { id } = await harness.channel("private once", cast, { isPrivate: true });
    await say("dev", id);
    const heard = await everyone(() => change(id, { is_private: false }));
    expect(eventNames(heard.elin)).toContain("stream/create");
    expect(eventNames(heard.elin)).toContain("subscription/peer_add");
    expect(heard.dev?.[0]).toMatchObject({ property: "invite_only", history_public_to_subscribers: true });
    await everyone(() =>
      expectSuccess(
        harness.as("elin").post("/users/me/subscriptions", { subscriptions: [{ name: "private once" }] }),
      ),
    );
  });

  test("sharing the history of a private channel changes what subscribers can read", async () => {
    const { id } = await harness.channel("memory", ["ada", "dev"], { isPrivate: true });
    await say("dev", id);
    await expectSuccess(
      harness.as("ada").post("/users/me/subscriptions", {
        subscriptions: [{ name: "memory" }],
        principals: [harness.user("elin").id],
      }),
    );
    const read = async () =>
      (
        await harness
          .as("elin")
          .get("/messages", { anchor: "oldest", num_before: 0, num_after: 9, narrow: [["channel", id]] })
      ).body.messages.length;
    expect(await read()).toBe(0);
    await everyone(() => change(id, { history_public_to_subscribers: true }));
    expect(await read()).toBe(1);
    await everyone(() => change(id, { history_public_to_subscribers: false }));
    expect(await read()).toBe(0);
  });

  test("a channel is shown to guests while it is web-public", async () => {
    await expectSuccess(harness.as("ada").patch("/realm", { enable_spectator_access: true }));
    const { id } = await harness.channel("square", ["ada", "dev"]);
    const heard = await everyone(() => change(id, { is_web_public: true }));
    expect(eventNames(heard.gus)).toContain("stream/create");
    const again = await everyone(() => change(id, { is_web_public: false }));
    expect(eventNames(again.gus)).toEqual(["stream/delete"]);
  });
});

describe("an archived channel", () => {
  const cast: CastName[] = ["ada", "ben", "dev", "gus", "echo"];

  test("stays for clients that know archived channels, and comes back unchanged for others", async () => {
    const { id } = await harness.channel("attic", cast, { isDefault: true });
    await say("dev", id);
    const heard = await everyone(() => archive(id));
    expect(heard.dev).toMatchObject([
      { type: "stream", op: "update", property: "is_archived", value: true },
      { type: "default_streams", default_streams: [] },
    ]);
    const back = await everyone(() => change(id, { is_archived: false }));
    expect(properties(back.gus)).toEqual(["is_archived"]);
    await everyone(() => say("dev", id));
  });

  test("has notices of its changes, which count as read while it is archived", async () => {
    await setNotices(true);
    const { id } = await harness.channel("noticed", cast);
    await say("dev", id);
    const heard = await everyone(() => archive(id));
    expect(heard.dev?.at(-1)).toMatchObject({ type: "message", flags: ["read"] });
    await everyone(() => change(id, { new_name: "noted", is_private: true }));
    await everyone(() => change(id, { is_archived: false }));
    await everyone(() => say("dev", id));
    await setNotices(false);
  });

  test("that is private comes back to its subscribers", async () => {
    const { id } = await harness.channel("cellar", ["ada", "dev", "gus"], { isPrivate: true });
    await say("dev", id);
    await everyone(() => archive(id));
    await expectSilence(harness, { hears: "gus", silent: ["elin", "echo", "zed"] }, () =>
      change(id, { is_archived: false }),
    );
    await everyone(() => archive(id));
    await everyone(() => change(id, { is_archived: false }));
  });

  test("without subscribers comes back too", async () => {
    const { id } = await harness.channel("empty", []);
    await everyone(() => archive(id));
    await everyone(() => change(id, { is_archived: false }));
  });

  test("can be changed, and only clients that know archived channels get the event", async () => {
    const { id } = await harness.channel("loft", cast);
    await archive(id);
    const heard = await everyone(() => change(id, { new_name: "old loft", description: "Dusty" }));
    expect(properties(heard.dev)).toEqual(["name", "description"]);
    const plain = await followAll(harness, viewers, () => change(id, { description: "Clean" }), {
      forms: [forms.plain],
    });
    for (const name of viewers) expect(plain[name], name).toEqual([]);
    await everyone(() => change(id, { is_archived: false, new_name: "loft" }));
  });

  test("can be left by a subscriber", async () => {
    const { id } = await harness.channel("barn", cast);
    await archive(id);
    await everyone(() =>
      expectSuccess(harness.as("dev").delete("/users/me/subscriptions", { subscriptions: ["barn"] })),
    );
    await everyone(() => change(id, { is_archived: false }));
  });

  test("can get new subscribers, and every client's model stays right", async () => {
    const { id } = await harness.channel("stable", cast);
    await archive(id);
    const join = () =>
      expectSuccess(
        harness.as("ada").post("/users/me/subscriptions", {
          subscriptions: [{ name: "stable" }],
          principals: [harness.user("elin").id, harness.user("ben").id],
          send_new_subscription_messages: false,
        }),
      );
    const heard = await everyone(join);
    expect(eventNames(heard.elin)).toContain("subscription/add");
    await everyone(() => change(id, { is_archived: false }));
    await everyone(() => say("elin", id));
  });

  test("can be made private or public, and every client's model stays right", async () => {
    const { id } = await harness.channel("vault", cast);
    await archive(id);
    await everyone(() => change(id, { is_private: true }));
    await everyone(() => change(id, { is_private: false }));
    await everyone(() => change(id, { is_archived: false }));
  });
});

describe("folders", () => {
  const make = (name: string) =>
    expectSuccess(harness.as("ada").post("/channel_folders/create", { name, description: "*Us*" }));
  const folderIds = async () =>
    (await harness.as("ada").get("/channel_folders", { include_archived: true })).body.channel_folders.map(
      ({ id }: { id: number }) => id,
    );

  test("are sent to everyone in the organization when they are made, changed or archived", async () => {
    const heard = await everyone(() => make("Product"));
    expect(eventNames(heard.gus)).toEqual(["channel_folder/add"]);
    expect(heard.zed).toEqual([]);
    const id = (await folderIds()).at(-1);
    await everyone(() =>
      expectSuccess(harness.as("ada").patch(`/channel_folders/${id}`, { name: "Products" })),
    );
    await everyone(() =>
      expectSuccess(harness.as("ada").patch(`/channel_folders/${id}`, { description: "**Them**" })),
    );
    await everyone(() =>
      expectSuccess(harness.as("ada").patch(`/channel_folders/${id}`, { is_archived: true })),
    );
    await everyone(() =>
      expectSuccess(harness.as("ada").patch(`/channel_folders/${id}`, { is_archived: false, name: "P" })),
    );
    const again = await everyone(() =>
      expectSuccess(harness.as("ada").patch(`/channel_folders/${id}`, { name: "P" })),
    );
    expect(again.gus).toEqual([]);
  });

  test("have the order that an administrator gives them", async () => {
    await make("Sales");
    const order = (await folderIds()).reverse();
    const heard = await everyone(() => expectSuccess(harness.as("ada").patch("/channel_folders", { order })));
    expect(heard.gus).toMatchObject([{ type: "channel_folder", op: "reorder", order }]);
    expect(await folderIds()).toEqual(order);
    const again = await everyone(() => expectSuccess(harness.as("ada").patch("/channel_folders", { order })));
    expect(again.gus).toEqual([]);
  });
});
