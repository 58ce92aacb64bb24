import { afterAll, beforeAll, expect, test } from "vitest";
import { roles } from "../../api/roles.ts";
import { createUser } from "../../server/people/actions.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { expectSuccess } from "../harness/answers.ts";
import { followAll, forms, startAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const path = "/users/me/subscriptions";

const join = (name: CastName, channels: string[], more: Record<string, unknown> = {}) =>
  expectSuccess(
    harness.as(name).post(path, { subscriptions: channels.map((channel) => ({ name: channel })), ...more }),
  );

const leave = (name: CastName, channels: string[], more: Record<string, unknown> = {}) =>
  expectSuccess(harness.as(name).delete(path, { subscriptions: channels, ...more }));

test("a channel that grows large and shrinks again keeps partial lists of its subscribers", async () => {
  const crowd = await runStateChange(harness.state, async (tx) => {
    const people: number[] = [];
    for (let index = 0; index < 260; index++) {
      const person = { email: `crowd${index}@demo.test`, fullName: `Crowd ${index}`, passwordHash: null };
      people.push((await createUser(tx, harness.services.keyring, { ...person, role: roles.member })).id);
    }
    return people;
  });
  const { id } = await harness.channel("arena", ["ada", "dev", "echo"]);
  const followers = await startAll(harness, ["ada", "elin"], { forms: [forms.partial] });
  const quietly = { send_new_subscription_messages: false };
  const steps: [verb: () => Promise<unknown>, newcomerList: string | undefined, count: number][] = [
    [() => join("ada", ["arena"], { principals: crowd.slice(0, 246), ...quietly }), undefined, 249],
    [() => join("ada", ["arena"], { principals: crowd.slice(246), ...quietly }), undefined, 263],
    [() => join("elin", ["arena"]), "partial_subscribers", 264],
    [() => leave("ada", ["arena"], { principals: crowd.slice(0, 20) }), undefined, 244],
    [() => leave("elin", ["arena"]), undefined, 243],
    [() => join("elin", ["arena"]), "subscribers", 244],
  ];
  for (const [verb, newcomerList, count] of steps) {
    await followAll(harness, ["ada", "elin", "gus"], verb);
    const { body } = await harness.as("ada").get(`/streams/${id}/members`);
    expect(body.subscribers).toHaveLength(count);
    for (const follower of followers) {
      const heardBefore = follower.events.length;
      await follower.catchUp();
      const { ids, isComplete } = follower.model.subscribers.byChannel.get(id) ?? {
        ids: [],
        isComplete: false,
      };
      const known = [...ids];
      expect(body.subscribers, "everyone who is known is there").toEqual(expect.arrayContaining(known));
      const added = follower.events.slice(heardBefore).find(({ op }) => op === "add");
      if (added && newcomerList) {
        expect(Object.keys((added.subscriptions as object[])[0] as object)).toContain(newcomerList);
      }
      const fresh = await harness.as(follower.viewer).post("/register", { ...follower.form });
      const records = [
        ...fresh.body.subscriptions,
        ...fresh.body.unsubscribed,
        ...fresh.body.never_subscribed,
      ];
      const record = records.find(({ stream_id }) => stream_id === id);
      expect("subscribers" in record, `a complete list of ${count}`).toBe(count < 250);
      const listed = record.subscribers ?? record.partial_subscribers;
      // People who joined the large channel do not get the other subscribers when it is small again.
      if (isComplete || count >= 250) {
        expect(known, "everyone who is listed is known").toEqual(expect.arrayContaining(listed));
      }
      expect(listed).toContain(harness.user("echo").id);
    }
  }
});
