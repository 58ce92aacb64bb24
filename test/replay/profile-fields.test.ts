import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const add = async (name: string, more: Record<string, unknown> = {}): Promise<number> => {
  const { id } = await expectSuccess(
    harness.as("ada").post("/realm/profile_fields", { name, field_type: 1, ...more }),
  );
  return id;
};
const change = (id: number, params: Record<string, unknown>) =>
  expectSuccess(harness.as("ada").patch(`/realm/profile_fields/${id}`, params));
const remove = (id: number) => expectSuccess(harness.as("ada").delete(`/realm/profile_fields/${id}`));
const fill = (name: CastName, id: number, value: string | number[]) =>
  expectSuccess(harness.as(name).patch("/users/me/profile_data", { data: [{ id, value }] }));
const clear = (name: CastName, ids: number[]) =>
  expectSuccess(harness.as(name).delete("/users/me/profile_data", { data: ids }));
const optionsOf = (...keys: string[]) =>
  Object.fromEntries(keys.map((key, index) => [key, { text: `text ${key}`, order: `${index}` }]));

test("everybody's clients follow fields that are made, changed, moved and deleted", async () => {
  const heard = await followAll(harness, everybody, async () => {
    const [one, two] = [await add("One"), await add("Two", { display_in_profile_summary: true })];
    await change(one, { hint: "The first", required: true });
    const { custom_fields } = await expectSuccess(harness.as("ada").get("/realm/profile_fields"));
    const order = custom_fields.map(({ id }: { id: number }) => id).reverse();
    await expectSuccess(harness.as("ada").patch("/realm/profile_fields", { order }));
    await change(two, { name: "2" });
    await remove(one);
  });
  expect(eventNames(heard.gus)).toEqual(Array.from({ length: 6 }, () => "custom_profile_fields"));
  expect(heard.zed).toEqual([]);
});

test("everybody's clients follow values that people and administrators change", async () => {
  const [text, people] = [await add("Text"), await add("People", { field_type: 6 })];
  const heard = await followAll(harness, everybody, async () => {
    await fill("dev", text, "*soup*");
    await fill("dev", people, [harness.user("gus").id]);
    await fill("gus", text, "bread");
    await expectSuccess(
      harness.as("ben").patch(`/users/${harness.user("elin").id}`, {
        full_name: "Elin Brandt",
        profile_data: [{ id: text, value: "stew" }],
      }),
    );
    await fill("dev", text, "**stew**");
    await clear("dev", [text, people]);
  });
  expect(eventNames(heard.cleo)).toEqual(Array.from({ length: 8 }, () => "realm_user/update"));
});

test("a value reaches everyone in the organization, and nobody else", async () => {
  const id = await add("For all");
  await expectSilence(harness, { hears: "gus", silent: ["zed"] }, () => fill("dev", id, "1"));
});

test("values that go away with their option or their field go away in everybody's clients", async () => {
  const text = await add("Doomed");
  const choice = await add("Choice", { field_type: 3, field_data: optionsOf("a", "b", "c") });
  await fill("dev", choice, "a");
  await fill("gus", choice, "b");
  await fill("elin", text, "soup");
  const heard = await followAll(harness, everybody, async () => {
    await change(choice, { field_data: optionsOf("b", "d") });
    await fill("dev", choice, "d");
    await remove(text);
    await change(choice, { field_data: optionsOf("d") });
    await remove(choice);
  });
  expect(eventNames(heard.gus)).not.toEqual([]);
});

test("clients stay right when people fill in a field while it changes and is deleted", async () => {
  const writers = ["ada", "ben", "cleo", "dev", "elin", "gus"] as const;
  for (let round = 0; round < 3; round++) {
    const choice = await add(`Contested ${round}`, { field_type: 3, field_data: optionsOf("a", "b") });
    await followAll(harness, ["ada", "gus"], async () => {
      const choose = (value: string) =>
        writers.map((name) =>
          harness.as(name).patch("/users/me/profile_data", { data: [{ id: choice, value }] }),
        );
      const answers = await Promise.all([
        ...choose("a"),
        harness.as("ada").patch(`/realm/profile_fields/${choice}`, { field_data: optionsOf("b") }),
        ...choose("b"),
        harness.as("ada").delete(`/realm/profile_fields/${choice}`),
        ...choose("a"),
      ]);
      for (const { status } of answers) expect([200, 400]).toContain(status);
    });
  }
});
