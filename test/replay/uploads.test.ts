import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess, sayIn } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, Follower, followAll, forms } from "../harness/follow.ts";
import { createHarness, type Harness } from "../harness/harness.ts";
import { uploaded } from "../harness/uploads.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("general", ["ada", "ben", "cleo", "dev", "elin", "gus"]);
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const fetchOwn = () => expectSuccess(harness.as("dev").get("/attachments"));

test("an upload, and what becomes of it, reaches only its owner's clients", async () => {
  const others = everybody.filter((name) => name !== "dev");
  let url = "";
  await expectSilence(harness, { hears: "dev", silent: others }, async () => {
    url = await uploaded(harness, "dev");
  });
  const isOfUpload = ({ type }: { type: string }) => type === "attachment";
  const send = () => say("dev", "general", { content: `[soup](${url})` });
  await expectSilence(harness, { hears: "dev", silent: others }, send, isOfUpload);
  const { attachments } = await fetchOwn();
  await expectSilence(harness, { hears: "dev", silent: others }, () =>
    expectSuccess(harness.as("dev").delete(`/attachments/${attachments[0].id}`)),
  );
});

test("a client that fetched its uploads once follows them by events, through all that changes them", async () => {
  await uploaded(harness, "dev");
  const follower = await Follower.start(harness, "dev", forms.modern);
  follower.model.uploads.fetched(await fetchOwn());
  const [one, two, three] = [
    await uploaded(harness, "dev", "one", "one.txt"),
    await uploaded(harness, "dev", "two", "two.txt"),
    await uploaded(harness, "dev", "three", "three.txt"),
  ];
  const first = await say("dev", "general", { content: `[1](${one}) [2](${two})` });
  await say("elin", "general", { content: `[1](${one})` });
  await expectSuccess(harness.as("dev").patch(`/messages/${first}`, { content: `[3](${three})` }));
  await expectSuccess(harness.as("ada").delete(`/messages/${first}`));
  const own = await fetchOwn();
  const { id } = own.attachments.find(({ name }: { name: string }) => name === "two.txt");
  await expectSuccess(harness.as("dev").delete(`/attachments/${id}`));
  await follower.catchUp();
  const now = await fetchOwn();
  const { byId, spaceUsed } = follower.model.uploads;
  expect([...byId.values()].sort((a, b) => b.id - a.id)).toEqual(now.attachments);
  expect(spaceUsed).toBe(now.upload_space_used);
  const ofOne = now.attachments.find(({ name }: { name: string }) => name === "one.txt");
  expect(ofOne.messages).toHaveLength(1);
});

test("a deleted message changes the uploads before clients learn of the deletion", async () => {
  const url = await uploaded(harness, "dev");
  const id = await say("dev", "general", { content: `[soup](${url})` });
  const heard = await followAll(harness, ["dev"], () =>
    expectSuccess(harness.as("ada").delete(`/messages/${id}`)),
  );
  expect(eventNames(heard.dev)).toEqual(["attachment/update", "delete_message"]);
});
