import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { QueuedEvent } from "../../../../client/poll.ts";
import { everybody, expectSilence, follow, followAll, names } from "../../../../test/harness/follow.ts";
import { type CastName, createWorld, type World } from "../../../../test/harness/harness.ts";
import { changeState } from "../../../platform/log/change.ts";
import type { Channel } from "../channel.ts";
import { subscribe, unsubscribe } from "./subscribe.ts";

let w: World;
beforeAll(async () => {
  w = await createWorld();
});
afterAll(() => w.close());

const people = (targets: CastName[]) => targets.map((name) => w.user(name).user);
const add = (channel: Channel, ...targets: CastName[]) =>
  changeState(w.state, (tx) => subscribe(tx, w.user("ada").viewer, [channel], people(targets)));
const remove = (channel: Channel, ...targets: CastName[]) =>
  changeState(w.state, (tx) => unsubscribe(tx, w.user("ada").viewer, [channel], people(targets)));
const isOfChannels = ({ type }: QueuedEvent) => type === "stream" || type === "subscription";

describe("subscribing", () => {
  test("tells newcomers their subscription, and the others who came", async () => {
    const channel = await w.channel("kitchen", ["ada"]);
    const heard = await followAll(w, everybody, () => add(channel, "dev", "elin"));
    expect(names(heard.dev)).toEqual(["subscription/add"]);
    expect(names(heard.elin)).toEqual(["subscription/add"]);
    expect(names(heard.ben)).toEqual(["subscription/peer_add"]);
    expect(heard.ben?.[0]).toMatchObject({
      stream_ids: [channel.id],
      user_ids: [w.user("dev").id, w.user("elin").id],
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

  test("concerns only those who were not subscribed yet", async () => {
    const channel = await w.channel("once", ["dev"]);
    const heard = await followAll(w, ["dev", "elin", "ada"], () => add(channel, "dev", "elin"));
    expect(names(heard.dev)).toEqual(["subscription/peer_add"]);
    expect(names(heard.elin)).toEqual(["subscription/add"]);
    expect(names(await follow(w, "elin", () => add(channel, "dev", "elin")))).toEqual([]);
  });

  test("lets a guest know of the channel at that moment, and of its other subscribers", async () => {
    const channel = await w.channel("garden", ["dev"]);
    const heard = await follow(w, "gus", () => add(channel, "gus"));
    expect(names(heard)).toEqual(["stream/create", "subscription/add"]);
    expect(heard[1]?.subscriptions).toMatchObject([{ subscribers: [w.user("dev").id, w.user("gus").id] }]);
  });

  test("to a private channel shows it to the newcomer, and to nobody else", async () => {
    const channel = await w.channel("vault", ["ada", "cleo"], { isPrivate: true });
    const heard = await followAll(w, everybody, () => add(channel, "dev"));
    expect(names(heard.dev)).toEqual(["stream/create", "subscription/add"]);
    expect(names(heard.cleo)).toEqual(["subscription/peer_add"]);
    expect(names(heard.ben)).toEqual(["subscription/peer_add"]);
    for (const name of ["elin", "gus", "echo", "zed"]) expect(heard[name], name).toEqual([]);
  });

  test("gives back the color that was chosen for an earlier subscription", async () => {
    const channel = await w.channel("paint", []);
    const ids = { channelId: channel.id, color: "#123456" };
    await changeState(w.state, (tx) =>
      subscribe(tx, w.user("ada").viewer, [channel], people(["dev"]), new Map([[ids.channelId, ids.color]])),
    );
    await remove(channel, "dev");
    const heard = await followAll(w, ["dev", "elin"], () => add(channel, "dev", "elin"));
    expect(heard.dev?.[0]?.subscriptions).toMatchObject([{ color: "#123456" }]);
    expect(heard.elin?.[0]?.subscriptions).not.toMatchObject([{ color: "#123456" }]);
  });
});

describe("unsubscribing", () => {
  test("tells the people concerned, and the others who left", async () => {
    const channel = await w.channel("attic", ["ada", "dev", "elin"]);
    const heard = await followAll(w, everybody, () => remove(channel, "dev"));
    expect(names(heard.dev)).toEqual(["subscription/remove"]);
    expect(heard.dev?.[0]?.subscriptions).toEqual([{ stream_id: channel.id, name: "attic" }]);
    expect(names(heard.elin)).toEqual(["subscription/peer_remove"]);
    expect(names(heard.cleo)).toEqual(["subscription/peer_remove"]);
    expect(names(heard.gus)).toEqual([]);
  });

  test("takes a private channel out of sight, but not from an administrator", async () => {
    const channel = await w.channel("cellar", ["ada", "ben", "dev"], { isPrivate: true });
    const heard = await followAll(w, everybody, () => remove(channel, "ben", "dev"));
    expect(names(heard.dev)).toEqual(["subscription/remove", "stream/delete"]);
    expect(names(heard.ada)).toEqual(["subscription/peer_remove"]);
    // Ben left too, but sees who else did.
    expect(names(heard.ben)).toEqual(["subscription/remove", "subscription/peer_remove"]);
    expect(heard.ben?.[1]?.user_ids).toEqual([w.user("dev").id]);
  });

  test("takes a public channel out of a guest's sight", async () => {
    const channel = await w.channel("porch", ["gus", "dev"]);
    expect(names(await follow(w, "gus", () => remove(channel, "gus")))).toEqual([
      "subscription/remove",
      "stream/delete",
    ]);
  });

  test("from a private channel lets no outsider hear of it", async () => {
    const channel = await w.channel("tunnel", ["ada", "dev"], { isPrivate: true });
    await expectSilence(
      w,
      { hears: "dev", silent: ["elin", "gus", "echo", "zed"] },
      () => remove(channel, "dev"),
      isOfChannels,
    );
  });
});
