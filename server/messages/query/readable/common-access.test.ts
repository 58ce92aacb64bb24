/**
 * What all members or all guests may read is looked up once. It must be what the rules say for each reader.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../../test/harness/harness.ts";
import { Random } from "../../../../test/harness/random.ts";
import { channels } from "../../../channels/channel.ts";
import { subscribe, unsubscribe } from "../../../channels/subscriptions/subscribe.ts";
import { runStateChange } from "../../../platform/log/change.ts";
import { findReadableScope, historyAccessOf } from "./readable-ranges.ts";

const people = ["ada", "ben", "cleo", "dev", "elin", "gus"] as const;
const random = new Random(20261129);

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  for (let count = 0; count < 10; count++) {
    const isPrivate = count % 2 === 0;
    await harness.channel(`hall ${count}`, random.shuffle(people).slice(0, random.upTo(4)), {
      isPrivate,
      isHistoryShared: !isPrivate || random.upTo(2) === 0,
      isWebPublic: count === 1,
    });
  }
}, 60_000);
afterAll(() => harness?.close());

async function act(): Promise<void> {
  const { state } = harness;
  const channel = random.pick([...state.get(channels).all()]);
  const person = harness.user(random.pick(people)).user;
  const path = `/streams/${channel.id}`;
  const namesPerson = { new: { direct_members: [person.id], direct_subgroups: [] } };
  const actions = [
    () => runStateChange(state, (tx) => subscribe(tx, [channel], [person])),
    () => runStateChange(state, (tx) => unsubscribe(tx, [channel], [person])),
    () => harness.as("ada").patch(path, { is_private: random.upTo(2) === 0 }),
    () => harness.as("ada").patch(path, { can_subscribe_group: namesPerson }),
    () => harness.as("ada").patch(`/users/${person.id}`, { role: random.pick([300, 400, 600]) }),
    () => (random.upTo(4) === 0 ? harness.as("ada").delete(path) : undefined),
  ];
  await random.pick(actions)();
}

test("after any changes, everybody may read what the channel's own rules say", async () => {
  const { state } = harness;
  const everything = { channels: undefined, conversations: undefined };
  for (let step = 0; step < 60; step++) {
    await act();
    for (const user of [...people.map((name) => harness.user(name).user), undefined]) {
      const reader = { state, user };
      const { accessByChannel } = await findReadableScope(reader, state.database, everything);
      const expected = [...state.get(channels).all()]
        .map((channel) => [channel.id, historyAccessOf(reader, channel)] as const)
        .filter(([, access]) => access !== "nothing");
      expect(new Map(accessByChannel), `step ${step}`).toEqual(new Map(expected));
    }
  }
}, 60_000);
