import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll } from "../harness/follow.ts";
import { createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const add = (fragment: string, name?: string) =>
  expectSuccess(harness.as("dev").post("/navigation_views", { fragment, is_pinned: true, name }));
const change = (fragment: string, params: Record<string, unknown>) =>
  harness.as("dev").patch(`/navigation_views/${fragment}`, params);

test("adding, changing and removing a view reaches only its owner's clients", async () => {
  const others = everybody.filter((name) => name !== "dev");
  await expectSilence(harness, { hears: "dev", silent: others }, () => add("narrow/search/soup", "Soup"));
  await expectSilence(harness, { hears: "dev", silent: others }, () =>
    expectSuccess(change("narrow/search/soup", { is_pinned: false })),
  );
  await expectSilence(harness, { hears: "dev", silent: others }, () =>
    expectSuccess(harness.as("dev").delete("/navigation_views/narrow/search/soup")),
  );
});

test("an event says what changed, and what changes nothing gives none", async () => {
  await add("narrow/search/bread", "Bread");
  const heard = await followAll(harness, ["dev"], async () => {
    await add("inbox");
    await expectSuccess(change("narrow/search/bread", { is_pinned: true, name: " Bread " }));
    await expectSuccess(change("narrow/search/bread", {}));
    await change("narrow/search/nothing", { is_pinned: false });
    await expectSuccess(change("narrow/search/bread", { is_pinned: true, name: "Loaf" }));
    await expectSuccess(change("inbox", { is_pinned: false }));
  });
  expect(heard.dev?.map(({ id, ...event }) => event)).toEqual([
    { type: "navigation_view", op: "add", navigation_view: { fragment: "inbox", is_pinned: true } },
    { type: "navigation_view", op: "update", fragment: "narrow/search/bread", data: { name: "Loaf" } },
    { type: "navigation_view", op: "update", fragment: "inbox", data: { is_pinned: false } },
  ]);
});

test("views that are added and changed at the same time are in the order of the events", async () => {
  const heard = await followAll(harness, ["dev"], async () => {
    const names = ["a", "b", "c", "d"];
    await Promise.all(names.map((name) => add(`narrow/topic/${name}`, name)));
    await Promise.all(
      names.flatMap((name) => [
        change(`narrow/topic/${name}`, { name: `new ${name}` }),
        change(`narrow/topic/${name}`, { name: "the same" }),
      ]),
    );
  });
  expect(eventNames(heard.dev).filter((name) => name === "navigation_view/add")).toHaveLength(4);
});
