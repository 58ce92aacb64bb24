import { afterAll, beforeAll, expect, test } from "vitest";
import { reportPresence } from "../../server/profiles/presence/actions.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, followAll, forms, startAll } from "../harness/follow.ts";
import { createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());

const DAY_MS = 24 * 3600 * 1000;

test("models learn by an event who has come, and nothing of people who stay", async () => {
  const report = () => expectSuccess(harness.as("gus").post("/users/me/presence", { status: "active" }));
  const dev = harness.user("gus").id;
  const phone = { ...forms.plain, slim_presence: true };
  const followers = await startAll(harness, ["dev", "gus"], { forms: [forms.modern, forms.plain, phone] });
  await report();
  for (const follower of followers) {
    await follower.catchUp();
    await follower.compare();
    expect(eventNames(follower.events)).toEqual(["presence"]);
    expect(follower.model.presences.statusOf(dev)).toBe("active");
  }
  await report();
  for (const follower of followers) {
    await follower.catchUp();
    expect(follower.events).toHaveLength(1);
  }
});

test("a snapshot says the same as the event did", async () => {
  const { viewer } = harness.user("cleo");
  const followers = await startAll(harness, ["dev"]);
  await reportPresence(viewer, "active", Date.now());
  const fresh = await startAll(harness, ["dev"]);
  for (const follower of [...followers, ...fresh]) {
    await follower.catchUp();
    expect(follower.model.presences.statusOf(viewer.user.id)).toBe("active");
  }
});

test("the event goes to everybody in the organization and to nobody else", async () => {
  const { viewer } = harness.user("cleo");
  const heard = await followAll(harness, everybody, () =>
    reportPresence(viewer, "active", Date.now() + DAY_MS),
  );
  for (const name of everybody) expect(eventNames(heard[name])).toEqual(name === "zed" ? [] : ["presence"]);
});
