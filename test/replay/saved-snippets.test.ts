import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const save = async (title: string, name: CastName = "dev"): Promise<number> =>
  (await expectSuccess(harness.as(name).post("/saved_snippets", { title, content: "Hello" })))
    .saved_snippet_id;

test("saving, editing and deleting a snippet reaches only its owner's clients", async () => {
  const others = everybody.filter((name) => name !== "dev");
  let id = 0;
  await expectSilence(harness, { hears: "dev", silent: others }, async () => {
    id = await save("Welcome");
  });
  await expectSilence(harness, { hears: "dev", silent: others }, () =>
    expectSuccess(harness.as("dev").patch(`/saved_snippets/${id}`, { content: "Good day" })),
  );
  await expectSilence(harness, { hears: "dev", silent: others }, () =>
    expectSuccess(harness.as("dev").delete(`/saved_snippets/${id}`)),
  );
});

test("several changes give several events, and what changes nothing gives none", async () => {
  const kept = await save("Kept");
  const heard = await followAll(harness, ["dev", "gus"], async () => {
    const id = await save("First");
    await save("Another's", "gus");
    await expectSuccess(
      harness.as("dev").patch(`/saved_snippets/${kept}`, { title: " Kept ", content: "Hello" }),
    );
    await expectSuccess(harness.as("dev").patch(`/saved_snippets/${kept}`, {}));
    await harness.as("dev").patch(`/saved_snippets/${kept}`, { title: "" });
    await expectSuccess(harness.as("dev").patch(`/saved_snippets/${kept}`, { title: "Changed" }));
    await expectSuccess(harness.as("dev").delete(`/saved_snippets/${id}`));
  });
  expect(eventNames(heard.dev)).toEqual([
    "saved_snippets/add",
    "saved_snippets/update",
    "saved_snippets/remove",
  ]);
  expect(heard.dev?.[1]).toMatchObject({
    saved_snippet: { id: kept, title: "Changed", content: "Hello", date_created: expect.any(Number) },
  });
  expect(eventNames(heard.gus)).toEqual(["saved_snippets/add"]);
});

test("the snippets of the first state follow the events also in a stream of changes at the same time", async () => {
  await followAll(harness, ["dev"], async () => {
    const ids = await Promise.all(["a", "b", "c", "d"].map((title) => save(title)));
    await Promise.all(
      ids.flatMap((id, index) => [
        harness.as("dev").patch(`/saved_snippets/${id}`, { title: `new ${index}` }),
        harness.as("dev").patch(`/saved_snippets/${id}`, { content: `new ${index}` }),
        ...(index % 2 === 0 ? [harness.as("dev").delete(`/saved_snippets/${id}`)] : []),
      ]),
    );
  });
});
