import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { QueuedEvent } from "../../../client/contract.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { eventNames } from "../../../test/harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { queuesOf } from "../../platform/queues/organization-queues.ts";
import type { Channel } from "../channel.ts";
import { subscribe, unsubscribe } from "../subscriptions/subscribe.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const change = (verb: typeof subscribe, channel: Channel, ...targets: CastName[]) =>
  runStateChange(harness.state, (tx) =>
    verb(
      tx,
      [channel],
      targets.map((name) => harness.user(name).user),
    ),
  );

const update = (channel: Channel, params: Record<string, unknown>) =>
  expectSuccess(harness.as("ada").patch(`/streams/${channel.id}`, params));

/** The events of a queue of the viewer that is replayed from the log, as after a restart. */
async function hearLater(viewer: CastName, verb: () => Promise<unknown>): Promise<QueuedEvent[]> {
  const { body } = await harness.as(viewer).post("/register", {
    event_types: ["stream", "subscription", "default_streams"],
    include_subscribers: true,
    client_capabilities: { notification_settings_null: true },
  });
  const queue = queuesOf(harness.state).byId.get(body.queue_id);
  if (!queue) throw new Error("there is no such queue");
  queue.isCold = true;
  await verb();
  const params = { queue_id: body.queue_id, last_event_id: body.last_event_id, dont_block: true };
  return (await harness.as(viewer).get("/events", params)).body.events;
}

describe("a queue replayed from the log", () => {
  test("gets the channels that its user may know of, and no others", async () => {
    const verb = async () => {
      await harness.channel(`open ${Math.random()}`, ["dev", "elin"]);
      await harness.channel(`closed ${Math.random()}`, ["dev"], { isPrivate: true });
    };
    const newChannel = ["stream/create", "subscription/peer_add"];
    expect(eventNames(await hearLater("ben", verb))).toEqual([...newChannel, ...newChannel]);
    expect(eventNames(await hearLater("cleo", verb))).toEqual(newChannel);
    expect(eventNames(await hearLater("gus", verb))).toEqual([]);
    expect(eventNames(await hearLater("dev", verb))).toEqual([
      "stream/create",
      "subscription/add",
      "stream/create",
      "subscription/add",
    ]);
  });

  test("gets no events on a private channel from before its user was subscribed", async () => {
    const channel = await harness.channel("later", ["ada"], { isPrivate: true });
    const heard = await hearLater("elin", async () => {
      await change(subscribe, channel, "dev");
      await change(subscribe, channel, "elin");
      await change(subscribe, channel, "cleo");
    });
    expect(eventNames(heard)).toEqual(["stream/create", "subscription/add", "subscription/peer_add"]);
    expect(heard[2]?.user_ids).toEqual([harness.user("cleo").id]);
  });

  test("gets no events on a channel from before it was public, unless its user knew of it then", async () => {
    const channel = await harness.channel("merger", ["ada", "dev"], { isPrivate: true });
    const verb = async () => {
      await update(channel, { description: "a secret" });
      await change(subscribe, channel, "cleo");
      await update(channel, { description: "known to all" });
      await update(channel, { is_private: false });
      await change(subscribe, channel, "ben");
    };
    const elin = await hearLater("elin", verb);
    expect(eventNames(elin)).toEqual([
      "stream/update",
      "stream/create",
      "subscription/peer_add",
      "subscription/peer_add",
    ]);
    expect(elin[0]).toMatchObject({ property: "invite_only", value: false });
    expect(JSON.stringify(elin)).not.toContain("secret");
    await update(channel, { is_private: true });
    const admin = await hearLater("ben", verb);
    expect(JSON.stringify(admin)).toContain("secret");
  });

  test("gets only the deletion of a private channel that its user has left", async () => {
    const channel = await harness.channel("sealed", ["ada"], { isPrivate: true, description: "a secret" });
    const heard = await hearLater("elin", async () => {
      await change(subscribe, channel, "elin", "dev");
      await change(subscribe, channel, "cleo");
      await change(unsubscribe, channel, "elin", "dev");
    });
    expect(eventNames(heard)).toEqual(["subscription/remove", "stream/delete"]);
    expect(JSON.stringify(heard)).not.toContain("secret");
  });

  test("gets the events on a channel that its user left and joined again", async () => {
    const channel = await harness.channel("revolving", ["ada", "elin"], { isPrivate: true });
    const heard = await hearLater("elin", async () => {
      await change(unsubscribe, channel, "elin");
      await change(subscribe, channel, "elin");
    });
    expect(eventNames(heard)).toEqual([
      "subscription/remove",
      "stream/delete",
      "stream/create",
      "subscription/add",
    ]);
    expect(heard[3]?.subscriptions).toMatchObject([
      { subscribers: [harness.user("ada").id, harness.user("elin").id] },
    ]);
  });
});
