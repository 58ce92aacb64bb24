import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll } from "../harness/follow.ts";
import { createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
let kitchen: number;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = (await harness.channel("kitchen", ["ada", "dev", "gus"])).id;
});
afterAll(() => harness.close());

const others = everybody.filter((name) => name !== "dev");
const draft = (content: string, more: Record<string, unknown> = {}) => ({
  ...{ type: "", to: [], topic: "", content },
  ...more,
});
const create = async (...drafts: object[]): Promise<number[]> =>
  (await expectSuccess(harness.as("dev").post("/drafts", { drafts }))).ids;
const edit = (id: number, content: string) =>
  harness.as("dev").patch(`/drafts/${id}`, { draft: draft(content) });
const synchronize = (isOn: boolean) =>
  expectSuccess(harness.as("dev").patch("/settings", { enable_drafts_synchronization: isOn }));

test("creating, editing and deleting a draft reaches only its owner's clients", async () => {
  let id = 0;
  await expectSilence(harness, { hears: "dev", silent: others }, async () => {
    [id = 0] = await create(draft("Soup", { type: "stream", to: [kitchen], topic: "lunch" }));
  });
  await expectSilence(harness, { hears: "dev", silent: others }, () => expectSuccess(edit(id, "Stew")));
  await expectSilence(harness, { hears: "dev", silent: others }, () =>
    expectSuccess(harness.as("dev").delete(`/drafts/${id}`)),
  );
});

test("drafts that are created together come in one event, and refused calls give none", async () => {
  const heard = await followAll(harness, ["dev"], async () => {
    await create(
      draft("Soup", { type: "direct", to: [harness.user("ada").id] }),
      draft("Bread", { type: "channel", to: [kitchen], topic: "lunch" }),
      draft("Salad"),
    );
    await create();
    await harness.as("dev").post("/drafts", { drafts: [draft("Fine"), draft("Lost", { type: "stream" })] });
    await edit(99_999, "Nothing");
  });
  expect(eventNames(heard.dev)).toEqual(["drafts/add"]);
  expect(heard.dev?.[0]?.drafts).toMatchObject([
    { type: "private", content: "Soup" },
    { type: "stream", topic: "lunch", content: "Bread" },
    { type: "", content: "Salad" },
  ]);
});

test("edits and deletions at the same time are in the order of the events", async () => {
  const ids = await create(draft("a"), draft("b"), draft("c"));
  await followAll(harness, ["dev"], () =>
    Promise.all(
      ids.flatMap((id) => [edit(id, "new"), edit(id, "newer"), harness.as("dev").delete(`/drafts/${id}`)]),
    ),
  );
});

test("turning off the synchronization removes each draft, for old clients too", async () => {
  await create(draft("Soup"), draft("Bread"));
  const { drafts } = await expectSuccess(harness.as("dev").get("/drafts"));
  const heard = await followAll(harness, ["dev", "gus"], () => synchronize(false));
  expect(eventNames(heard.dev).slice(1)).toEqual(drafts.map(() => "drafts/remove"));
  expect(eventNames(heard.gus)).toEqual([]);
  await followAll(harness, ["dev"], () => synchronize(true));
});
