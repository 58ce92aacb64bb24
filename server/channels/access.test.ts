import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSuccess, refusal, sayIn } from "../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../test/harness/harness.ts";
import { groups } from "../groups/group.ts";

let harness: Harness;
const say = sayIn(() => harness);
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("leads", ["ada"], { isPrivate: true });
});
afterAll(() => harness.close());

describe("a bot posts where its owner may", () => {
  const owner = "ben";

  test("in a private channel while its owner is subscribed", async () => {
    const post = () =>
      harness.as("echo").post("/messages", { type: "channel", to: "leads", topic: "x", content: "y" });
    expect(await refusal(post())).toContain("Not authorized");
    const subscriptions = [{ name: "leads" }];
    const principals = [harness.user(owner).id];
    await expectSuccess(harness.as("ada").post("/users/me/subscriptions", { subscriptions, principals }));
    await expectSuccess(post());
    await expectSuccess(
      harness.as("ada").delete("/users/me/subscriptions", { subscriptions: ["leads"], principals }),
    );
    expect(await refusal(post())).toContain("Not authorized");
  });

  test("in a channel where its owner may post and it may not", async () => {
    const news = await harness.channel("news", ["ada", owner, "dev"]);
    const administrators = harness.state.get(groups).findByName("role:administrators");
    await expectSuccess(
      harness.as("ada").patch(`/streams/${news.id}`, { can_send_message_group: { new: administrators?.id } }),
    );
    await say("echo", news.id);
    const post = { type: "channel", to: news.id, topic: "x", content: "y" };
    expect(await refusal(harness.as("dev").post("/messages", post))).toContain("permission to post");
  });

  test("without getting access to its messages", async () => {
    const subscriptions = [{ name: "leads" }];
    await expectSuccess(
      harness
        .as("ada")
        .post("/users/me/subscriptions", { subscriptions, principals: [harness.user(owner).id] }),
    );
    const id = await say("ada", "leads");
    expect(await refusal(harness.as("echo").get(`/messages/${id}`))).toBe("Invalid message(s)");
  });
});

test("a name differing only in letters with several lowercase forms makes no second channel", async () => {
  await harness.channel("İz ΣΑΣ", ["ada"]);
  const answer = await harness
    .as("ada")
    .post("/users/me/subscriptions", { subscriptions: [{ name: "iz σασ" }] });
  expect([answer.status, answer.body.already_subscribed]).toEqual([
    200,
    { [harness.user("ada").id]: ["İz ΣΑΣ"] },
  ]);
});
