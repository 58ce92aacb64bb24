/**
 * Compares the records of channels, which are put together from kept bytes, with records that are presented
 * one by one for each reader. The changes between are random, drawn from a seed.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChannelId } from "../../../api/ids.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { Random } from "../../../test/harness/random.ts";
import type { User } from "../../people/user.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { canSeeChannel } from "../access.ts";
import { type Channel, channels } from "../channel.ts";
import { readHistories } from "../history/history.ts";
import { noPreferences, presentChannel, presentPreferences } from "../present.ts";
import { formerChannels, ownPreferences } from "../store.ts";
import { resolveNotifications } from "./notifications.ts";
import { type RecordOptions, readChannelRecords } from "./records.ts";
import { subscribe, unsubscribe } from "./subscribe.ts";
import { presentSubscribers, subscriberList } from "./subscriber-lists.ts";
import { subscribers } from "./subscribers.ts";

const people = ["ada", "ben", "cleo", "dev", "elin", "gus"] as const;
const random = new Random(20261128);

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  for (let count = 0; count < 12; count++) {
    await harness.channel(`room ${count}`, random.shuffle(people).slice(0, random.upTo(5)), {
      isPrivate: random.upTo(3) === 0,
      isWebPublic: count === 1,
    });
  }
}, 60_000);
afterAll(() => harness?.close());

/** A guest may see web-public channels, and everybody their own. */
function maySee(user: User | undefined, channel: Channel): boolean {
  return user ? canSeeChannel(harness.state, user, channel) : channel.isWebPublic;
}

async function presentPlainly(user: User | undefined, options: RecordOptions) {
  const { state } = harness;
  const { database, organizationId } = state;
  const seen = [...state.get(channels).all()].filter(
    (channel) => (options.hasArchived || !channel.isArchived) && maySee(user, channel),
  );
  const historyOf = await readHistories(state, database, seen);
  const former = new Set(
    (await formerChannels.list(database, organizationId, user?.id ?? null)).map(({ id }) => id),
  );
  const own = await ownPreferences.list(database, organizationId, user?.id ?? null);
  const preferences = new Map(own.map((row) => [row.channelId, row]));
  const plain = (channel: Channel) =>
    presentChannel(state, channel, {
      history: historyOf(channel),
      subscriberCount: subscriberList(state, channel.id).ids.length,
    });
  const listed = (channel: Channel) => ({
    ...plain(channel),
    ...(user && presentSubscribers(state, subscriberList(state, channel.id), options.subscribers)),
  });
  const settings = (id: ChannelId) => {
    const fields = presentPreferences(id, preferences.get(id) ?? noPreferences);
    return user && !options.canInherit ? resolveNotifications(user, fields) : fields;
  };
  const personal = (channel: Channel) => ({ ...listed(channel), ...settings(channel.id) });
  const isOwn = ({ id }: Channel) => user !== undefined && state.get(subscribers).has(id, user.id);
  const others = seen.filter((channel) => !isOwn(channel));
  return {
    all: seen.map(plain),
    subscribed: seen.filter(isOwn).map(personal),
    unsubscribed: others.filter(({ id }) => former.has(id)).map(personal),
    neverSubscribed: others.filter(({ id }) => !former.has(id)).map(listed),
  };
}

async function readFromBlocks(user: User | undefined, options: RecordOptions) {
  const records = await readChannelRecords(harness.state, harness.state.database, user, options);
  return {
    all: records.all().text,
    subscribed: records.subscribed().text,
    unsubscribed: records.unsubscribed().text,
    neverSubscribed: records.neverSubscribed().text,
  };
}

/** One change that somebody makes. Many are refused, which changes nothing. */
async function act(): Promise<void> {
  const { state } = harness;
  const channel = random.pick([...state.get(channels).all()]);
  const person = harness.user(random.pick(people)).user;
  const owner = harness.as("ada");
  const path = `/streams/${channel.id}`;
  switch (random.upTo(9)) {
    case 0:
    case 1:
      await runStateChange(state, (tx) => subscribe(tx, [channel], [person]));
      break;
    case 2:
      await runStateChange(state, (tx) => unsubscribe(tx, [channel], [person]));
      break;
    case 3:
      await owner.patch(path, { new_name: `rôle ${random.upTo(1000)}` });
      break;
    case 4:
      await owner.patch(path, { is_private: random.upTo(2) === 0 });
      break;
    case 5:
      if (random.upTo(3) === 0) await owner.delete(path);
      break;
    case 6: {
      const group = { new: { direct_members: [person.id], direct_subgroups: [] } };
      await owner.patch(path, { can_administer_channel_group: group });
      break;
    }
    case 7: {
      const role = random.pick([200, 300, 400, 600]);
      if (person.id !== harness.user("ada").id) await owner.patch(`/users/${person.id}`, { role });
      break;
    }
    default: {
      const name = random.pick(people);
      const message = { type: "channel", to: channel.id, topic: "t", content: "x" };
      await harness.as(name).post("/messages", message);
      const property = { stream_id: channel.id, property: "color", value: "#c2c2c2" };
      await harness.as(name).post("/users/me/subscriptions/properties", { subscription_data: [property] });
    }
  }
}

test("after any changes, each reader gets the records that are presented for this reader alone", async () => {
  let names: readonly CastName[] = people;
  for (let step = 0; step < 150; step++) {
    await act();
    if (step === 75) {
      // A person who is deactivated is in no list and no permission.
      await harness.as("ada").delete(`/users/${harness.user("elin").id}`);
      names = people.filter((name) => name !== "elin");
    }
    const name = random.upTo(10) === 0 ? undefined : random.pick(names);
    const user = name && harness.user(name).user;
    const options: RecordOptions = {
      subscribers: user ? random.pick(["true", "false", "partial"]) : "false",
      hasArchived: random.upTo(2) === 0,
      canInherit: random.upTo(2) === 0,
    };
    const plain = await presentPlainly(user, options);
    const found = await readFromBlocks(user, options);
    for (const part of ["all", "subscribed", "unsubscribed", "neverSubscribed"] as const) {
      expect(found[part], `step ${step}: ${part} of ${name}`).toBe(JSON.stringify(plain[part]));
    }
  }
}, 60_000);
