import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { organizationSettings } from "../../api/administration/organization-settings.ts";
import { updateOrganization } from "../../server/administration/settings/update-organization.ts";
import { type Channel, channels } from "../../server/channels/channel.ts";
import { subscribe } from "../../server/channels/subscriptions/subscribe.ts";
import { changeChannel } from "../../server/channels/update/update.ts";
import { changeState } from "../../server/people/viewer/change.ts";
import { type Change, runStateChange } from "../../server/platform/log/change.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll, forms } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
let channelId: number;
const allForms = { forms: [forms.modern, forms.plain, forms.partial] };

beforeAll(async () => {
  harness = await createHarness();
  channelId = (await harness.channel("kitchen", ["ada", "dev", "gus", "echo"])).id;
});
afterAll(() => harness.close());

const ids = (people: CastName[]) => people.map((name) => harness.user(name).id);

const choose = (name: CastName, property: string, value: unknown) =>
  expectSuccess(harness.as(name).patch(`/users/me/subscriptions/${channelId}`, { property, value }));

describe("a personal setting of a subscription", () => {
  test.each([
    ["color", "#AbCdEf"],
    ["is_muted", true],
    ["is_muted", false],
    ["in_home_view", false],
    ["pin_to_top", true],
    ["desktop_notifications", true],
    ["audible_notifications", false],
    ["push_notifications", true],
    ["email_notifications", true],
    ["wildcard_mentions_notify", false],
    ["desktop_notifications", null],
    ["wildcard_mentions_notify", null],
  ])("(%s: %j) reaches only the person's own clients", async (property, value) => {
    const heard = await followAll(harness, everybody, () => choose("dev", property, value), allForms);
    const expected = property === "is_muted" || property === "in_home_view" ? 2 : 1;
    expect(eventNames(heard.dev)).toEqual(Array(expected).fill("subscription/update"));
    for (const name of everybody) if (name !== "dev") expect(heard[name], name).toEqual([]);
  });

  test("reaches clients in order when several are changed at once", async () => {
    const change = (property: string, value: unknown) => ({ stream_id: channelId, property, value });
    const subscription_data = [
      change("pin_to_top", false),
      change("color", "#123"),
      change("is_muted", true),
    ];
    const heard = await followAll(
      harness,
      ["gus", "ada"],
      () =>
        expectSuccess(harness.as("gus").post("/users/me/subscriptions/properties", { subscription_data })),
      allForms,
    );
    expect(heard.gus?.map(({ property, value }) => [property, value])).toEqual([
      ["pin_to_top", false],
      ["color", "#112233"],
      ["in_home_view", false],
      ["is_muted", true],
    ]);
    expect(heard.ada).toEqual([]);
  });
});

describe("subscriptions", () => {
  test("can begin and end in one call", async () => {
    await harness.channel("garden", ["dev"]);
    const heard = await followAll(harness, everybody, () =>
      expectSuccess(
        harness.as("dev").patch("/users/me/subscriptions", {
          add: [{ name: "shed", color: "#00ff00" }, { name: "kitchen" }],
          delete: ["garden"],
        }),
      ),
    );
    expect(eventNames(heard.dev)).toEqual([
      "stream/create",
      "subscription/add",
      "subscription/remove",
      "message",
    ]);
  });
});

describe("a channel that is made for others", () => {
  test("is announced to them by a message in the channel", async () => {
    const heard = await followAll(
      harness,
      everybody,
      () =>
        expectSuccess(
          harness.as("ada").post("/channels/create", {
            name: "workshop",
            description: "For *tools*",
            subscribers: ids(["ben", "gus", "echo"]),
            invite_only: true,
          }),
        ),
      allForms,
    );
    expect(eventNames(heard.gus)).toEqual(["stream/create", "subscription/add", "message"]);
    expect(eventNames(heard.echo)).toEqual(["stream/create", "subscription/add", "message"]);
    expect(eventNames(heard.ada)).toEqual(["stream/create", "subscription/peer_add"]);
    for (const name of ["cleo", "dev", "elin", "zed"]) expect(heard[name], name).toEqual([]);
  });

  test("is announced by direct message to people whom others add later", async () => {
    const subscribe = (name: CastName, more: Record<string, unknown>) => () =>
      expectSuccess(
        harness.as(name).post("/users/me/subscriptions", { subscriptions: [{ name: "workshop" }], ...more }),
      );
    const heard = await followAll(
      harness,
      everybody,
      subscribe("ben", { principals: ids(["dev", "ada"]) }),
      allForms,
    );
    expect(eventNames(heard.dev)).toEqual(["stream/create", "subscription/add", "message"]);
    expect(eventNames(heard.ben)).toEqual(["subscription/peer_add"]);
  });

  test("is announced in the organization's channel for new channels", async () => {
    const { id } = await harness.channel("announcements", ["ada", "dev", "gus"]);
    const { viewer } = harness.user("ada");
    await changeState(viewer, (tx) =>
      updateOrganization(tx, {
        name: undefined,
        values: new Map([[organizationSettings.newStreamAnnouncementsStreamId, id]]),
        permissions: new Map(),
      }),
    );
    const subscriptions = [{ name: "bakery" }, { name: "dairy" }];
    const heard = await followAll(
      harness,
      everybody,
      () =>
        expectSuccess(harness.as("cleo").post("/users/me/subscriptions", { subscriptions, announce: true })),
      allForms,
    );
    expect(eventNames(heard.gus)).toEqual(["message"]);
    expect(eventNames(heard.cleo).slice(-2)).toEqual(["message", "message"]);
    expect(eventNames(heard.elin)).not.toContain("message");
  });
});

describe("default channels", () => {
  test("are sent to everyone but guests", async () => {
    const add = () => expectSuccess(harness.as("ben").post("/default_streams", { stream_id: channelId }));
    const heard = await followAll(harness, everybody, add);
    for (const name of everybody) {
      const expected = name === "gus" || name === "zed" ? [] : ["default_streams"];
      expect(eventNames(heard[name]), name).toEqual(expected);
    }
    const silent = await followAll(harness, everybody, add);
    for (const name of everybody) expect(silent[name], name).toEqual([]);
    await followAll(harness, everybody, () =>
      expectSuccess(harness.as("ben").delete("/default_streams", { stream_id: channelId })),
    );
  });
});

describe("groups of default channels", () => {
  const group = async (name = "Joiners") => {
    const { body } = await harness
      .as("ada")
      .post("/register", { fetch_event_types: ["default_stream_groups"] });
    return body.realm_default_stream_groups.find((each: { name: string }) => each.name === name);
  };

  test("are sent to everyone but guests when they are created, changed or deleted", async () => {
    await harness.channel("library", ["ada"]);
    const tell = (verb: () => Promise<void>) =>
      expectSilence(harness, { hears: "elin", silent: ["gus", "zed"] }, verb);
    await tell(() =>
      expectSuccess(
        harness.as("ben").post("/default_stream_groups/create", {
          group_name: "Joiners",
          description: "For all",
          stream_names: ["Kitchen"],
        }),
      ),
    );
    expect(await group()).toMatchObject({ description: "For all", streams: [channelId] });
    const path = `/default_stream_groups/${(await group()).id}`;
    await tell(() =>
      expectSuccess(harness.as("ben").patch(path, { new_group_name: "Newcomers", new_description: "" })),
    );
    await tell(() =>
      expectSuccess(
        harness.as("ben").patch(`${path}/streams`, { op: "add", stream_names: ["library", "garden"] }),
      ),
    );
    expect((await group("Newcomers")).streams).toHaveLength(3);
    await tell(() =>
      expectSuccess(harness.as("ben").patch(`${path}/streams`, { op: "remove", stream_names: ["library"] })),
    );
    expect((await group("Newcomers")).streams).toHaveLength(2);
    await tell(() => expectSuccess(harness.as("ben").delete(path)));
    expect(await group("Newcomers")).toBeUndefined();
  });

  test("leave out a channel while it is archived or private", async () => {
    const { id } = await harness.channel("attic", ["ada", "ben"]);
    await expectSuccess(
      harness.as("ben").post("/default_stream_groups/create", {
        group_name: "Climbers",
        description: "",
        stream_names: ["attic"],
      }),
    );
    const offered = async () => (await group("Climbers")).streams;
    expect(await offered()).toEqual([id]);
    const change = (params: Record<string, unknown>) => () =>
      expectSuccess(harness.as("ben").patch(`/streams/${id}`, params));
    await followAll(harness, everybody, change({ is_private: true }));
    expect(await offered()).toEqual([]);
    await followAll(harness, everybody, change({ is_private: false }));
    expect(await offered()).toEqual([id]);
    await followAll(harness, everybody, () => expectSuccess(harness.as("ben").delete(`/streams/${id}`)));
    expect(await offered()).toEqual([]);
    await followAll(harness, everybody, change({ is_archived: false }));
    expect(await offered()).toEqual([id]);
  });
});

describe("what happens while a change of channels is being stored", () => {
  const message = (id: number) =>
    expectSuccess(
      harness.as("ada").post("/messages", { type: "channel", to: id, topic: "lunch", content: "Soup?" }),
    );

  test("a setting that is changed comes with the subscription when its channel returns", async () => {
    const { id } = await harness.channel("cellar", ["ada", "dev"]);
    await expectSuccess(harness.as("ada").delete(`/streams/${id}`));
    const archived = harness.state.get(channels).byId.get(id) as Channel;
    const unarchive = (tx: Change) => changeChannel(tx, archived, { ...archived, isArchived: false });
    const mute = () =>
      expectSuccess(
        harness.as("dev").patch(`/users/me/subscriptions/${id}`, { property: "is_muted", value: true }),
      );
    // Muted once: the change runs again whenever memory has changed meanwhile.
    let muted: Promise<unknown> | undefined;
    const both = () =>
      runStateChange(harness.state, async (tx) => {
        await unarchive(tx);
        muted ??= mute();
        await muted;
      });
    await followAll(harness, ["dev", "elin"], both, allForms);
  });

  test("a channel's first message is named to people who are being subscribed", async () => {
    const channel = await harness.channel("vault", ["ada"], { isPrivate: true });
    const { user } = harness.user("dev");
    const both = () =>
      runStateChange(harness.state, (tx) => subscribe(tx, [channel], [user]).then(() => message(channel.id)));
    await followAll(harness, ["ada", "ben", "dev"], both, allForms);
    const elin = (tx: Change) => subscribe(tx, [channel], [harness.user("elin").user]);
    await followAll(harness, ["ada", "elin"], () => runStateChange(harness.state, elin), allForms);
  });
});
