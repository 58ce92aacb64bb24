// The fields that an organization has (spec E4, E17). What people fill in is tested in `values.test.ts`.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MAX_PROFILE_FIELDS, MAX_PROFILE_OPTIONS } from "../../../api/limits.ts";
import { externalAccounts } from "../../../api/profiles/profile-field.ts";
import { profileFieldTypes } from "../../../api/profiles/profile-field-types.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { OrganizationState } from "../../platform/log/organization-state.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { presentField } from "./present.ts";
import { profileFields } from "./profile-fields.ts";
import { insertField, type ProfileField } from "./store.ts";

const [SHORT, LONG, SELECT, DATE, URL, USER, ACCOUNT, PRONOUNS] = [1, 2, 3, 4, 5, 6, 7, 8];
const editors = { 0: { text: "Vim", order: "1" }, 1: { text: "Emacs", order: "2" } };

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  for (const { id } of await list()) await expectSuccess(remove(id));
});

const list = async (name: CastName = "ada") =>
  (await expectSuccess(harness.as(name).get("/realm/profile_fields"))).custom_fields;
const create = (params: Record<string, unknown>, name: CastName = "ada") =>
  harness.as(name).post("/realm/profile_fields", params);
const add = async (params: Record<string, unknown>): Promise<number> =>
  (await expectSuccess(create(params))).id;
const change = (id: number, params: Record<string, unknown>, name: CastName = "ada") =>
  harness.as(name).patch(`/realm/profile_fields/${id}`, params);
const remove = (id: number, name: CastName = "ada") => harness.as(name).delete(`/realm/profile_fields/${id}`);
const reorder = (order: number[], name: CastName = "ada") =>
  harness.as(name).patch("/realm/profile_fields", { order });

describe("a custom profile field (E4, E17)", () => {
  test("is listed for everybody, after the others, and comes in the first state", async () => {
    const phone = await add({ name: " Phone ", hint: " With the country ", field_type: SHORT });
    const editor = await add({
      name: "Editor",
      field_type: SELECT,
      field_data: editors,
      display_in_profile_summary: true,
      required: true,
      editable_by_user: false,
    });
    const plain = { hint: "", field_data: "", required: false, editable_by_user: true };
    const expected = [
      { ...plain, id: phone, type: SHORT, order: 1, name: "Phone", hint: "With the country" },
      {
        id: editor,
        type: SELECT,
        order: 2,
        name: "Editor",
        hint: "",
        field_data: '{"0":{"text":"Vim","order":"1"},"1":{"text":"Emacs","order":"2"}}',
        required: true,
        editable_by_user: false,
        display_in_profile_summary: true,
      },
    ];
    for (const name of ["ada", "dev", "gus", "echo"] as const) expect(await list(name)).toEqual(expected);
    expect(await list("zed")).toEqual([]);
    const { body } = await harness.as("gus").post("/register", {});
    expect(body.custom_profile_fields).toEqual(expected);
    expect(body.custom_profile_field_types).toEqual(profileFieldTypes);
  });

  test("of pronouns has no field_data in the listing, and an empty one elsewhere", async () => {
    await add({ name: "Pronouns", field_type: PRONOUNS });
    expect((await list())[0]).not.toHaveProperty("field_data");
    const { body } = await harness.as("dev").post("/register", {});
    expect(body.custom_profile_fields[0].field_data).toBe("");
  });

  test("is not shown to clients without an account, but the types are", async () => {
    await add({ name: "Phone", field_type: SHORT });
    await expectSuccess(harness.as("ada").patch("/realm", { enable_spectator_access: true }));
    const { body } = await harness.nobody().post("/register", {});
    expect(body.custom_profile_fields).toEqual([]);
    expect(body.custom_profile_field_types).toEqual(profileFieldTypes);
    await expectSuccess(harness.as("ada").patch("/realm", { enable_spectator_access: false }));
  });

  test("ignores field_data where its type has none", async () => {
    await add({ name: "Phone", field_type: SHORT, field_data: editors });
    expect((await list())[0].field_data).toBe("");
  });

  test.each(["cleo", "dev", "gus", "echo"] as const)("is no matter for %s", async (name) => {
    const id = await add({ name: "Phone", field_type: SHORT });
    for (const answer of [
      create({ name: "Other", field_type: SHORT }, name),
      change(id, { name: "Other" }, name),
      reorder([id], name),
      remove(id, name),
    ]) {
      expect((await answer).body.code).toBe("UNAUTHORIZED_PRINCIPAL");
    }
    expect((await list()).map((field: { name: string }) => field.name)).toEqual(["Phone"]);
  });

  test("of another organization is treated as a missing one", async () => {
    const id = await add({ name: "Phone", field_type: SHORT });
    expect(await refusal(change(id, { name: "Mine" }, "zed"))).toBe(`Field id ${id} not found.`);
    expect(await refusal(remove(id, "zed"))).toBe(`Field id ${id} not found.`);
    expect(await refusal(reorder([id], "zed"))).toBe("Invalid order mapping.");
    expect((await list())[0].name).toBe("Phone");
  });

  test.each([
    ["without a name", { field_type: SHORT }, "name can't be blank"],
    ["with a blank name", { field_type: SHORT, name: "  " }, "name can't be blank"],
    ["with a long name", { field_type: SHORT, name: "n".repeat(41) }, "name is too long"],
    ["with a long hint", { field_type: SHORT, name: "n", hint: "h".repeat(81) }, "hint is too long"],
    ["with a line break", { field_type: SHORT, name: "a\nb" }, "Invalid character in name, at position 2"],
    ["with the name of another", { field_type: DATE, name: "pHONE" }, "already exists"],
    ["of an unknown type", { field_type: 9, name: "n" }, "field_type"],
    [
      "of long texts in the summary",
      { field_type: LONG, name: "n", display_in_profile_summary: true },
      "not supported",
    ],
    [
      "of people in the summary",
      { field_type: USER, name: "n", display_in_profile_summary: true },
      "not supported",
    ],
    ["of options without any", { field_type: SELECT, name: "n" }, "at least one choice"],
    [
      "of options with an account",
      { field_type: SELECT, name: "n", field_data: { subtype: "github" } },
      "the options are missing",
    ],
    [
      "of options with the same text",
      {
        field_type: SELECT,
        name: "n",
        field_data: { a: { text: "x", order: "1" }, b: { text: " x ", order: "2" } },
      },
      "duplicate choices",
    ],
    [
      "of options with an empty text",
      { field_type: SELECT, name: "n", field_data: { a: { text: " ", order: "1" } } },
      "a choice must have",
    ],
    [
      "of options with a long text",
      { field_type: SELECT, name: "n", field_data: { a: { text: "x".repeat(51), order: "1" } } },
      "a choice must have",
    ],
    [
      "of options with a strange key",
      { field_type: SELECT, name: "n", field_data: { "a b": { text: "x", order: "1" } } },
      "a key must have",
    ],
    [
      "of options with a long key",
      { field_type: SELECT, name: "n", field_data: { ["k".repeat(33)]: { text: "x", order: "1" } } },
      "a key must have",
    ],
    [
      "of options with a strange order",
      { field_type: SELECT, name: "n", field_data: { a: { text: "x", order: "first" } } },
      "an order must be",
    ],
    ["of an account without a service", { field_type: ACCOUNT, name: "n" }, "the subtype is missing"],
    [
      "of an unknown service",
      { field_type: ACCOUNT, name: "n", field_data: { subtype: "nowhere" } },
      "Invalid external account type",
    ],
    [
      "of a service with a name of all objects",
      { field_type: ACCOUNT, name: "n", field_data: { subtype: "constructor" } },
      "Invalid external account type",
    ],
    [
      "of another service without an address",
      { field_type: ACCOUNT, name: "n", field_data: { subtype: "custom" } },
      "url_pattern must be",
    ],
    [
      "with an address without a name",
      {
        field_type: ACCOUNT,
        name: "n",
        field_data: { subtype: "custom", url_pattern: "https://a.example/" },
      },
      "url_pattern must be",
    ],
    [
      "with an address with two names",
      {
        field_type: ACCOUNT,
        name: "n",
        field_data: { subtype: "custom", url_pattern: "https://a.example/%(username)s/%(username)s" },
      },
      "url_pattern must be",
    ],
    [
      "with a script as the address",
      {
        field_type: ACCOUNT,
        name: "n",
        field_data: { subtype: "custom", url_pattern: "javascript:alert('%(username)s')" },
      },
      "url_pattern must be",
    ],
    [
      "with a long address",
      {
        field_type: ACCOUNT,
        name: "n",
        field_data: { subtype: "custom", url_pattern: `https://a.example/${"x".repeat(1000)}/%(username)s` },
      },
      "url_pattern must be",
    ],
  ])("%s is refused", async (_, params, message) => {
    await add({ name: "Phone", field_type: SHORT });
    expect(await refusal(create(params))).toContain(message);
    expect(await list()).toHaveLength(1);
  });

  test("for a service of the list has its name and hint, unless others are given", async () => {
    const { body } = await harness.as("dev").post("/register", {});
    expect(body.realm_default_external_accounts).toEqual(externalAccounts);
    for (const subtype of Object.keys(body.realm_default_external_accounts)) {
      await add({ field_type: ACCOUNT, field_data: { subtype } });
    }
    const services = Object.values(externalAccounts);
    expect((await list()).map(({ name, hint }: { name: string; hint: string }) => [name, hint])).toEqual(
      services.map(({ name, hint }) => [name, hint]),
    );
    const own = { subtype: "github", url_pattern: "https://evil.example/%(username)s" };
    const id = await add({ field_type: ACCOUNT, name: "Code", hint: "Of work", field_data: own });
    const created = (await list()).find((field: { id: number }) => field.id === id);
    expect(created).toMatchObject({ name: "Code", hint: "Of work", field_data: '{"subtype":"github"}' });
  });

  test("can name any other service by the address of its profiles", async () => {
    const account = { subtype: "custom", url_pattern: " https://%(username)s.example.org " };
    await add({ field_type: ACCOUNT, name: "Home page", field_data: account });
    expect((await list())[0].field_data).toBe(
      '{"subtype":"custom","url_pattern":"https://%(username)s.example.org"}',
    );
  });

  test("can be in the summary together with one other", async () => {
    const summary = { display_in_profile_summary: true };
    await add({ name: "One", field_type: SHORT, ...summary });
    await add({ name: "Two", field_type: URL, ...summary });
    const limit = "Only 2 custom profile fields can be displayed in the profile summary.";
    expect(await refusal(create({ name: "Three", field_type: DATE, ...summary }))).toBe(limit);
    const three = await add({ name: "Three", field_type: DATE });
    expect(await refusal(change(three, summary))).toBe(limit);
    await expectSuccess(change((await list())[0].id, { display_in_profile_summary: false }));
    await expectSuccess(change(three, summary));
    expect((await list()).map((field: object) => "display_in_profile_summary" in field)).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe("changing a field", () => {
  test("changes what is given, and everybody gets an event with all fields", async () => {
    const first = await add({ name: "Phone", field_type: SHORT, hint: "Work" });
    const second = await add({ name: "Born", field_type: DATE });
    const guest = await listen(harness.as("gus"), { event_types: ["custom_profile_fields"] });
    const stranger = await listen(harness.as("zed"), { event_types: ["custom_profile_fields"] });
    await expectSuccess(change(second, { name: "Birthday", required: true }));
    await expectSuccess(reorder([second, first]));
    await expectSuccess(remove(first));
    const heard = await guest.heard();
    expect(heard.map(({ fields }) => fields.map(({ id }: { id: number }) => id))).toEqual([
      [first, second],
      [second, first],
      [second],
    ]);
    expect(heard[1].fields).toMatchObject([
      { name: "Birthday", required: true, editable_by_user: true, order: 1 },
      { name: "Phone", hint: "Work", order: 2 },
    ]);
    expect(await stranger.heard()).toEqual([]);
  });

  test("to what it is gives no event", async () => {
    const id = await add({ name: "Editor", field_type: SELECT, field_data: editors });
    const guest = await listen(harness.as("gus"), { event_types: ["custom_profile_fields"] });
    await expectSuccess(change(id, {}));
    await expectSuccess(change(id, { name: " Editor ", field_data: editors, required: false }));
    await expectSuccess(reorder([id]));
    expect(await guest.heard()).toEqual([]);
  });

  test("is refused as a whole if one part is", async () => {
    const id = await add({ name: "Editor", field_type: SELECT, field_data: editors });
    await add({ name: "Phone", field_type: SHORT });
    expect(await refusal(change(id, { hint: "New", name: "phone" }))).toContain("already exists");
    expect(await refusal(change(id, { hint: "New", field_data: {} }))).toContain("at least one choice");
    expect(await refusal(change(id, { hint: "h".repeat(81) }))).toContain("hint is too long");
    expect((await list())[0]).toMatchObject({ name: "Editor", hint: "" });
  });

  test("of an unknown id is refused, and so is an order that does not name every field once", async () => {
    const [one, two] = [
      await add({ name: "One", field_type: SHORT }),
      await add({ name: "Two", field_type: SHORT }),
    ];
    expect(await refusal(change(999_999, { name: "x" }))).toBe("Field id 999999 not found.");
    expect(await refusal(remove(999_999))).toBe("Field id 999999 not found.");
    for (const order of [[], [one], [one, one], [one, two, two], [one, 999_999]]) {
      expect(await refusal(reorder(order)), JSON.stringify(order)).toBe("Invalid order mapping.");
    }
  });
});

test("an organization has a limited number of options in all fields", async () => {
  const options = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`k${n}`, { text: `option ${n}`, order: `${n}` }]),
    );
  const half = options(MAX_PROFILE_OPTIONS / 2);
  await add({ name: "one", field_type: SELECT, field_data: half });
  const two = await add({ name: "two", field_type: SELECT, field_data: half });
  const message = `at most ${MAX_PROFILE_OPTIONS} options`;
  const third = { name: "three", field_type: SELECT, field_data: options(1) };
  expect(await refusal(create(third))).toContain(message);
  const grown = { field_data: options(MAX_PROFILE_OPTIONS / 2 + 1) };
  expect(await refusal(change(two, grown))).toContain(message);
  await expectSuccess(change(two, { field_data: options(1) }));
  await expectSuccess(create(third));
});

test("an organization has a limited number of fields", async () => {
  await addPlainFields(MAX_PROFILE_FIELDS - 1);
  await add({ name: "the last", field_type: SHORT });
  expect(await refusal(create({ name: "one more", field_type: SHORT }))).toBe(
    `There can be at most ${MAX_PROFILE_FIELDS} custom profile fields.`,
  );
  await harness.services.database.query(sql`delete from profile_fields`);
  await runStateChange(harness.state, async (tx) => tx.appendPatch(patchOf(profileFields, [])));
});

/** Many fields at once: the API makes one a call. */
function addPlainFields(count: number): Promise<void> {
  const plain = { type: 1, hint: "", fieldData: "", isRequired: false } as const;
  return runStateChange(harness.state, async (tx) => {
    const fields: ProfileField[] = [];
    for (let n = 0; n < count; n++) {
      const field = { ...plain, name: `field ${n}`, isEditableByUser: true, isInSummary: false };
      fields.push(await insertField(tx, tx.state.organizationId, field));
    }
    tx.appendPatch(patchOf(profileFields, fields));
  });
}

test("a node that starts reads the fields from their rows, as those that were there have them", async () => {
  await add({ name: "Editor", field_type: SELECT, field_data: { zz: editors[0], a: editors[1] } });
  await reorder([await add({ name: "Born", field_type: DATE }), (await list())[0].id]);
  const { database, organizationId, parts } = harness.state;
  const there = await OrganizationState.load(database, organizationId, parts);
  expect(there.get(profileFields).all).toEqual(harness.state.get(profileFields).all);
  const { body } = await harness.as("dev").post("/register", {});
  expect(body.custom_profile_fields).toEqual(there.get(profileFields).all.map(presentField));
});
