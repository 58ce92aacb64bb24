import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { done, refusal, sayIn } from "../../../test/harness/answers.ts";
import { createWorld, type World } from "../../../test/harness/harness.ts";
import { groups } from "../groups/group.ts";

let w: World;
const say = sayIn(() => w);
beforeAll(async () => {
  w = await createWorld();
  await w.channel("leads", ["ada"], { isPrivate: true });
});
afterAll(() => w.close());

describe("a bot posts where its owner may", () => {
  const owner = "ben";

  test("in a private channel while its owner is subscribed", async () => {
    const post = () =>
      w.as("echo").post("/messages", { type: "channel", to: "leads", topic: "x", content: "y" });
    expect(await refusal(post())).toContain("Not authorized");
    const subscriptions = [{ name: "leads" }];
    const principals = [w.user(owner).id];
    await done(w.as("ada").post("/users/me/subscriptions", { subscriptions, principals }));
    await done(post());
    await done(w.as("ada").delete("/users/me/subscriptions", { subscriptions: ["leads"], principals }));
    expect(await refusal(post())).toContain("Not authorized");
  });

  test("in a channel where its owner may post and it may not", async () => {
    const news = await w.channel("news", ["ada", owner, "dev"]);
    const administrators = w.state.get(groups).findByName("role:administrators");
    await done(
      w.as("ada").patch(`/streams/${news.id}`, { can_send_message_group: { new: administrators?.id } }),
    );
    await say("echo", news.id);
    const post = { type: "channel", to: news.id, topic: "x", content: "y" };
    expect(await refusal(w.as("dev").post("/messages", post))).toContain("permission to post");
  });

  test("and reads nothing that it could not read without", async () => {
    const subscriptions = [{ name: "leads" }];
    await done(
      w.as("ada").post("/users/me/subscriptions", { subscriptions, principals: [w.user(owner).id] }),
    );
    const id = await say("ada", "leads");
    expect(await refusal(w.as("echo").get(`/messages/${id}`))).toBe("Invalid message(s)");
  });
});

test("letters that are small in more than one way make no second channel of a name", async () => {
  await w.channel("İz ΣΑΣ", ["ada"]);
  const answer = await w.as("ada").post("/users/me/subscriptions", { subscriptions: [{ name: "iz σασ" }] });
  expect([answer.status, answer.body.already_subscribed]).toEqual([200, { [w.user("ada").id]: ["İz ΣΑΣ"] }]);
});
