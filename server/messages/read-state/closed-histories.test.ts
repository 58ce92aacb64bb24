import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { follow, followAll } from "../../../test/harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import type { Channel } from "../../channels/channel.ts";

let harness: Harness;
let count = 0;
let from: Channel;
let to: Channel;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  from = await harness.channel(`from ${++count}`, ["ada", "dev", "elin"]);
  to = await harness.channel(`to ${count}`, ["ada", "gus"]);
});

const say = sayIn(() => harness);
const come = (name: CastName) =>
  expectSuccess(
    harness.as("ada").post("/users/me/subscriptions", {
      subscriptions: [{ name: to.name }],
      principals: [harness.user(name).id],
    }),
  );
const leave = (name: CastName) =>
  expectSuccess(
    harness.as("ada").delete("/users/me/subscriptions", {
      subscriptions: [to.name],
      principals: [harness.user(name).id],
    }),
  );
const move = (message: number) =>
  expectSuccess(harness.as("ada").patch(`/messages/${message}`, { stream_id: to.id }));
const markUnread = (name: CastName, message: number) =>
  expectSuccess(
    harness.as(name).post("/messages/flags", { messages: [message], op: "remove", flag: "read" }),
  );
const shareHistory = (isShared: boolean) =>
  expectSuccess(
    harness.as("ada").patch(`/streams/${to.id}`, {
      is_private: true,
      history_public_to_subscribers: isShared,
    }),
  );
const newlyRead = (messages: number[]) => expect.objectContaining({ op: "add", flag: "read", messages });

test("what a subscriber can no longer read when a history is closed becomes read, and stays so", async () => {
  const early = await say("ada", to.name);
  const moved = await say("ada", from.name);
  for (const name of ["dev", "elin"] as const) await come(name);
  await move(moved);
  await markUnread("dev", early);
  const late = await say("ada", to.name);
  const closed = await followAll(harness, ["ada", "dev", "elin", "gus"], () => shareHistory(false));
  expect(closed.dev).toContainEqual(newlyRead([early, moved]));
  expect(closed.elin).toContainEqual(newlyRead([moved]));
  for (const name of ["ada", "gus"] as const)
    expect(closed[name]?.map(({ type }) => type)).not.toContain("update_message_flags");
  await followAll(harness, ["dev", "elin"], () => shareHistory(true));
  const { body } = await harness.as("dev").get("/messages", { message_ids: [early, moved, late] });
  const unread = body.messages.filter(({ flags }: { flags: string[] }) => !flags.includes("read"));
  expect(unread.map(({ id }: { id: number }) => id)).toEqual([late]);
});

test("what a subscriber received in an earlier subscription stays unread", async () => {
  await come("dev");
  const received = await say("ada", to.name);
  await leave("dev");
  await come("dev");
  await markUnread("dev", received);
  const heard = await follow(harness, "dev", () => shareHistory(false));
  expect(heard.map(({ type }) => type)).not.toContain("update_message_flags");
});
