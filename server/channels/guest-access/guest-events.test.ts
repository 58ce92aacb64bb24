// What a guest hears who may not know of everybody.
import { beforeAll, describe, expect, test } from "vitest";
import { UNKNOWN_USER_NAME } from "../../../api/people/unknown-user.ts";
import { roles } from "../../../api/roles.ts";
import { PASSWORD } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import type { Answer } from "../../../test/harness/harness.ts";
import { runJobsEarly } from "../../../test/harness/jobs.ts";
import { found, useLimitedGuests } from "../../../test/harness/limited-guests.ts";
import { type Listener, listen } from "../../../test/harness/listener.ts";
import { queuesOf, removeQueue } from "../../platform/queues/organization-queues.ts";

const guests = useLimitedGuests();
const { id, say, ids, limit, secretsOf } = guests;

describe("events about people of whom the guest may not know", () => {
  beforeAll(() => limit(true));

  const verbs: Record<string, () => Promise<Answer>> = {
    "a new name": () => guests.harness.as("ada").patch(`/users/${id("ben")}`, { full_name: "Benno Ito" }),
    "a role": () => guests.harness.as("ada").patch(`/users/${id("ben")}`, { role: roles.moderator }),
    "a time zone": () => guests.harness.as("ben").patch("/settings", { timezone: "Europe/Oslo" }),
    "a hidden address": () => guests.harness.as("ben").patch("/settings", { email_address_visibility: 5 }),
    "a shown address": () => guests.harness.as("ben").patch("/settings", { email_address_visibility: 1 }),
    "a status": () =>
      guests.harness.as("ben").post("/users/me/status", { status_text: "status of ben again" }),
    "a group": () =>
      guests.harness
        .as("ada")
        .post("/user_groups/create", { name: "smiths", description: "", members: [id("ben")] }),
    "a deactivation": () => guests.harness.as("ada").delete(`/users/${id("ben")}`),
    "a reactivation": () => guests.harness.as("ada").post(`/users/${id("ben")}/reactivate`),
    "a new account": () =>
      guests.harness.as("ada").post("/users", {
        email: "nils@demo.test",
        full_name: "Nils Ito",
        password: PASSWORD,
      }),
  };
  for (const [name, verb] of Object.entries(verbs)) {
    test(`${name}: the guest gets nothing of it, and a member does`, async () => {
      const incomplete = { notification_settings_null: true, user_list_incomplete: true };
      const listeners: Listener[] = [
        await listen(guests.harness.as("gus"), { client_capabilities: incomplete }),
        await listen(guests.harness.as("gus"), {}),
      ];
      const dev = await listen(guests.harness.as("dev"), {});
      await expectSuccess(verb());
      expect(await dev.heard()).not.toEqual([]);
      for (const [index, listener] of listeners.entries()) {
        // Guests see the ids of the subscribers of a web-public channel. ben's bot is deactivated with ben.
        const events = (await listener.heard()).filter(
          ({ type, op, person, user_ids, stream_ids }) =>
            !(type === "subscription" && stream_ids.every((each: number) => each === ids.square)) &&
            !(type === "user_group" && user_ids?.every((each: number) => each === id("echo"))) &&
            !(type === "user_group" && op === "add") &&
            person?.user_id !== id("echo"),
        );
        const isPlaceholder = (event: { person?: { full_name?: string } }) =>
          index === 1 && event.person?.full_name === UNKNOWN_USER_NAME;
        expect(events.filter((event) => !isPlaceholder(event))).toEqual([]);
      }
    });
  }

  test("presence reaches only those who may know of the person", async () => {
    const { body } = await guests.harness
      .as("gus")
      .post("/users/me/presence", { status: "active", last_update_id: -1 });
    expect(Object.keys(body.presences).map(Number)).toContain(id("dev"));
    expect(Object.keys(body.presences).map(Number)).not.toContain(id("ben"));
  });

  test("a reaction comes with an unknown user, and so does a message", async () => {
    await expectSuccess(
      guests.harness.as("ada").post("/users/me/subscriptions", { subscriptions: [{ name: "kitchen" }] }),
    );
    const gus = await listen(guests.harness.as("gus"));
    const sent = await say("ada", "kitchen");
    await expectSuccess(
      guests.harness.as("elin").post(`/messages/${sent}/reactions`, { emoji_name: "heart" }),
    );
    await expectSuccess(
      guests.harness.as("ada").delete("/users/me/subscriptions", { subscriptions: ["kitchen"] }),
    );
    // Not read yet: the queue is read when ada is unknown again.
    const events = await gus.heard();
    const reaction = events.find(({ type }) => type === "reaction");
    expect(reaction).toMatchObject({ user_id: id("elin"), user: { full_name: UNKNOWN_USER_NAME } });
    expect(events.at(-1)).toMatchObject({ type: "realm_user", op: "remove" });
  });

  test("a queue that is read from the log again names nobody who is unknown by now", async () => {
    const gus = await listen(guests.harness.as("gus"));
    await expectSuccess(
      guests.harness.as("ada").post("/users/me/subscriptions", { subscriptions: [{ name: "kitchen" }] }),
    );
    await say("ada", "kitchen");
    await expectSuccess(
      guests.harness.as("ada").delete("/users/me/subscriptions", { subscriptions: ["kitchen"] }),
    );
    for (const queue of [...queuesOf(guests.harness.state).byId.values()])
      removeQueue(guests.harness.state, queue);
    const text = JSON.stringify(await gus.heard());
    expect(text).toContain(UNKNOWN_USER_NAME);
    expect(found(text, secretsOf("ada"))).toEqual([]);
  });

  test("typing in a channel by somebody unknown is not shown", async () => {
    const capable = { notification_settings_null: true, stream_typing_notifications: true };
    const [gus, dev] = [
      await listen(guests.harness.as("gus"), { client_capabilities: capable }),
      await listen(guests.harness.as("dev"), { client_capabilities: capable }),
    ];
    const typing = { type: "stream", op: "start", stream_id: ids.kitchen, topic: "lunch" };
    await expectSuccess(guests.harness.as("elin").post("/typing", typing));
    expect((await dev.heard()).map(({ type }) => type)).toEqual(["typing"]);
    expect(await gus.heard()).toEqual([]);
  });
});

test("a message at its time makes its sender known too", async () => {
  const message = {
    type: "direct",
    to: [id("gus")],
    content: "Hello",
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600,
  };
  await expectSuccess(guests.harness.as("ben").post("/scheduled_messages", message));
  const gus = await listen(guests.harness.as("gus"));
  await runJobsEarly(guests.harness.services);
  const events = await gus.heard();
  const added = events.findIndex(({ type, op }) => type === "realm_user" && op === "add");
  const sent = events.findIndex(({ message }) => message?.sender_id === id("ben"));
  expect(added).toBeGreaterThanOrEqual(0);
  expect(sent).toBeGreaterThan(added);
  await expectSuccess(guests.harness.as("gus").get(`/users/${id("ben")}`));
});
