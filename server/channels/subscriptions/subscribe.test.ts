import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { QueuedEvent } from "../../../client/contract.ts";
import { eventNames, everybody, expectSilence, follow, followAll } from "../../../test/harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { runStateChange } from "../../platform/log/change.ts";
import type { Channel } from "../channel.ts";
import { subscribe, unsubscribe } from "./subscribe.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const people = (targets: CastName[]) => targets.map((name) => harness.user(name).user);
const add = (channel: Channel, ...targets: CastName[]) =>
  runStateChange(harness.state, (tx) => subscribe(tx, [channel], people(targets)));
const remove = (channel: Channel, ...targets: CastName[]) =>
  runStateChange(harness.state, (tx) => unsubscribe(tx, [channel], people(targets)));
const isOfChannels = ({ type }: QueuedEvent) => type === "stream" || type === "subscription";

describe("subscribing", () => {
  test("sends new subscribers their subscription, and other subscribers the new ones", async () => {
    const channel = await harness.channel("kitchen", ["ada"]);
    const heard = await followAll(harness, everybody, () => add(channel, "dev", "elin"));
    expect(eventNames(heard.dev)).toEqual(["subscription/add"]);
    expect(eventNames(heard.elin)).toEqual(["subscription/add"]);
    expect(eventNames(heard.ben)).toEqual(["subscription/peer_add"]);
    expect(heard.ben?.[0]).toMatchObject({
      stream_ids: [channel.id],
      user_ids: [harness.user("dev").id, harness.user("elin").id],
    });
    expect(heard.dev?.[0]?.subscriptions).toMatchObject([
      {
        name: "kitchen",
        subscriber_count: 3,
        is_muted: false,
        in_home_view: true,
        desktop_notifications: null,
      },
    ]);
  });

  test("changes nothing for people who were subscribed already", async () => {
    const channel = await harness.channel("once", ["dev"]);
    const heard = await followAll(harness, ["dev", "elin", "ada"], () => add(channel, "dev", "elin"));
    expect(eventNames(heard.dev)).toEqual(["subscription/peer_add"]);
    expect(eventNames(heard.elin)).toEqual(["subscription/add"]);
    expect(eventNames(await follow(harness, "elin", () => add(channel, "dev", "elin")))).toEqual([]);
  });

  test("sends a new guest the channel and its other subscribers", async () => {
    const channel = await harness.channel("garden", ["dev"]);
    const heard = await follow(harness, "gus", () => add(channel, "gus"));
    expect(eventNames(heard)).toEqual(["stream/create", "subscription/add"]);
    expect(heard[1]?.subscriptions).toMatchObject([
      { subscribers: [harness.user("dev").id, harness.user("gus").id] },
    ]);
  });

  test("to a private channel shows it to the new subscriber, and to nobody else", async () => {
    const channel = await harness.channel("vault", ["ada", "cleo"], { isPrivate: true });
    const heard = await followAll(harness, everybody, () => add(channel, "dev"));
    expect(eventNames(heard.dev)).toEqual(["stream/create", "subscription/add"]);
    expect(eventNames(heard.cleo)).toEqual(["subscription/peer_add"]);
    expect(eventNames(heard.ben)).toEqual(["subscription/peer_add"]);
    for (const name of ["elin", "gus", "echo", "zed"]) expect(heard[name], name).toEqual([]);
  });

  test("gives back the color that was chosen for an earlier subscription", async () => {
    const channel = await harness.channel("paint", []);
    const ids = { channelId: channel.id, color: "#123456" };
    await runStateChange(harness.state, (tx) =>
      subscribe(tx, [channel], people(["dev"]), new Map([[ids.channelId, ids.color]])),
    );
    await remove(channel, "dev");
    const heard = await followAll(harness, ["dev", "elin"], () => add(channel, "dev", "elin"));
    expect(heard.dev?.[0]?.subscriptions).toMatchObject([{ color: "#123456" }]);
    expect(heard.elin?.[0]?.subscriptions).not.toMatchObject([{ color: "#123456" }]);
  });
});

describe("unsubscribing", () => {
  test("sends an event to the unsubscribed people, and to the other subscribers", async () => {
    const channel = await harness.channel("attic", ["ada", "dev", "elin"]);
    const heard = await followAll(harness, everybody, () => remove(channel, "dev"));
    expect(eventNames(heard.dev)).toEqual(["subscription/remove"]);
    expect(heard.dev?.[0]?.subscriptions).toEqual([{ stream_id: channel.id, name: "attic" }]);
    expect(eventNames(heard.elin)).toEqual(["subscription/peer_remove"]);
    expect(eventNames(heard.cleo)).toEqual(["subscription/peer_remove"]);
    expect(eventNames(heard.gus)).toEqual([]);
  });

  test("hides a private channel from members, but not from an administrator", async () => {
    const channel = await harness.channel("cellar", ["ada", "ben", "dev"], { isPrivate: true });
    const heard = await followAll(harness, everybody, () => remove(channel, "ben", "dev"));
    expect(eventNames(heard.dev)).toEqual(["subscription/remove", "stream/delete"]);
    expect(eventNames(heard.ada)).toEqual(["subscription/peer_remove"]);
    // Ben left too, but sees who else left.
    expect(eventNames(heard.ben)).toEqual(["subscription/remove", "subscription/peer_remove"]);
    expect(heard.ben?.[1]?.user_ids).toEqual([harness.user("dev").id]);
  });

  test("hides a public channel from a guest", async () => {
    const channel = await harness.channel("porch", ["gus", "dev"]);
    expect(eventNames(await follow(harness, "gus", () => remove(channel, "gus")))).toEqual([
      "subscription/remove",
      "stream/delete",
    ]);
  });

  test("from a private channel sends no event to non-subscribers", async () => {
    const channel = await harness.channel("tunnel", ["ada", "dev"], { isPrivate: true });
    await expectSilence(
      harness,
      { hears: "dev", silent: ["elin", "gus", "echo", "zed"] },
      () => remove(channel, "dev"),
      isOfChannels,
    );
  });
});
