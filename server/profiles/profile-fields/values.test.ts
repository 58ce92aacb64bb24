// What people fill in (spec Custom profile field, E10). The fields are tested in `fields.test.ts`.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ProfileFieldType } from "../../../api/profiles/profile-field-types.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { sql } from "../../platform/db/sql.ts";

/** One field of each type, by a name. */
const ids = {} as Record<keyof typeof fields, number>;
const fields = {
  phone: { field_type: 1 },
  story: { field_type: 2 },
  editor: {
    field_type: 3,
    field_data: { 0: { text: "Vim", order: "1" }, 1: { text: "Emacs", order: "2" } },
  },
  born: { field_type: 4 },
  site: { field_type: 5 },
  mentors: { field_type: 6 },
  github: { field_type: 7, field_data: { subtype: "github" } },
  pronouns: { field_type: 8 },
  badge: { field_type: 1, editable_by_user: false },
} satisfies Record<string, { field_type: ProfileFieldType } & Record<string, unknown>>;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  for (const [name, field] of Object.entries(fields)) {
    const { id } = await expectSuccess(harness.as("ada").post("/realm/profile_fields", { name, ...field }));
    ids[name as keyof typeof fields] = id;
  }
});
afterAll(() => harness.close());
beforeEach(() => harness.services.database.query(sql`delete from profile_field_values`));

type Given = Partial<Record<keyof typeof fields, string | number[] | null>>;

const entries = (given: Given) =>
  Object.entries(given).map(([name, value]) => ({ id: ids[name as keyof typeof fields], value }));
const fill = (given: Given, name: CastName = "dev") =>
  harness.as(name).patch("/users/me/profile_data", { data: entries(given) });
const fillFor = (target: CastName, given: Given, by: CastName = "ada") =>
  harness.as(by).patch(`/users/${harness.user(target).id}`, { profile_data: entries(given) });
const clear = (names: (keyof typeof fields)[], by: CastName = "dev") =>
  harness.as(by).delete("/users/me/profile_data", { data: names.map((name) => ids[name]) });
const profile = async (name: CastName = "dev", reader: CastName = "gus") => {
  const asked = { include_custom_profile_fields: true };
  const { user } = await expectSuccess(harness.as(reader).get(`/users/${harness.user(name).id}`, asked));
  return user.profile_data;
};

const everything: Given = {
  phone: " +49 **30** ",
  story: "# Hello\n\nI cook *soup*.",
  editor: "1",
  born: "1996-02-29",
  site: "https://soup.example/?q=1#top",
  mentors: [],
  github: "dev",
  pronouns: "they/them",
};

describe("a value", () => {
  test("of each type is shown wherever people are", async () => {
    const mentors = [harness.user("elin").id, harness.user("cleo").id, harness.user("elin").id];
    await expectSuccess(fill({ ...everything, mentors }));
    const expected = {
      [ids.phone]: { value: "+49 **30**", rendered_value: "<p>+49 <strong>30</strong></p>" },
      [ids.story]: {
        value: everything.story,
        rendered_value: expect.stringMatching(/<h1>.*<em>soup<\/em>/s),
      },
      [ids.editor]: { value: "1" },
      [ids.born]: { value: "1996-02-29" },
      [ids.site]: { value: everything.site },
      [ids.mentors]: { value: `[${harness.user("elin").id},${harness.user("cleo").id}]` },
      [ids.github]: { value: "dev" },
      [ids.pronouns]: { value: "they/them" },
    };
    const own = { include_custom_profile_fields: true };
    const gus = harness.as("gus");
    const { members } = await expectSuccess(gus.get("/users", own));
    const [named] = (await expectSuccess(gus.get("/users", { ...own, user_ids: [harness.user("dev").id] })))
      .members;
    const { body: byEmail } = await gus.get("/users/dev@demo.test", own);
    const { body: me } = await harness.as("dev").get("/users/me");
    const { body: state } = await gus.post("/register", {});
    const find = (list: { user_id: number }[]) =>
      list.find(({ user_id }) => user_id === harness.user("dev").id) as unknown as { profile_data: object };
    for (const user of [find(members), named, byEmail.user, me, find(state.realm_users)]) {
      expect(user.profile_data).toEqual(expected);
    }
    expect(await profile()).toEqual(expected);
    expect(await profile("elin")).toEqual({});
    const bots = members.filter(({ is_bot }: { is_bot: boolean }) => is_bot);
    for (const bot of bots) expect(bot).not.toHaveProperty("profile_data");
  });

  test("with line breaks, braces and quotation marks is shown as it was written", async () => {
    const story = 'a}7\n{"value":"x"}9\r\n\\n "}" \u2028 🐙';
    await expectSuccess(fill({ story, phone: '"}5' }));
    await expectSuccess(fill({ story: "mine" }, "elin"));
    expect(await profile()).toMatchObject({ [ids.story]: { value: story }, [ids.phone]: { value: '"}5' } });
    expect(await profile("elin")).toMatchObject({ [ids.story]: { value: "mine" } });
  });

  test("is left out of lists that did not ask for it, and stays with a deactivated person", async () => {
    await expectSuccess(fill({ github: "elin" }, "elin"));
    const { members } = await expectSuccess(harness.as("gus").get("/users"));
    for (const member of members) expect(member).not.toHaveProperty("profile_data");
    const path = `/users/${harness.user("elin").id}`;
    await expectSuccess(harness.as("ada").delete(path));
    const { body } = await harness.as("gus").post("/register", {});
    expect(body.realm_non_active_users).toMatchObject([
      { user_id: harness.user("elin").id, profile_data: { [ids.github]: { value: "elin" } } },
    ]);
    await expectSuccess(harness.as("ada").post(`${path}/reactivate`));
  });

  test("of another form of the same list does not leak into it", async () => {
    const list = async () => (await harness.as("gus").post("/register", {})).body.realm_users;
    const before = await list();
    await expectSuccess(fill({ phone: "1" }));
    expect(await list()).not.toEqual(before);
    await expectSuccess(clear(["phone"]));
    expect(await list()).toEqual(before);
  });

  test.each<[string, Given, string]>([
    ["a short text of 51 characters", { phone: "x".repeat(51) }, "phone is too long (limit: 50"],
    ["a short text with a line break", { phone: "a\nb" }, "'phone' must be on one line"],
    ["pronouns of 51 characters", { pronouns: "x".repeat(51) }, "pronouns is too long"],
    ["a name elsewhere of 51 characters", { github: "x".repeat(51) }, "github is too long"],
    ["a long text of 501 characters", { story: "x".repeat(501) }, "story is too long (limit: 500"],
    ["an option that is not there", { editor: "2" }, "one of the options"],
    ["the text of an option", { editor: "Vim" }, "one of the options"],
    ["a property of all objects", { editor: "constructor" }, "one of the options"],
    ["a day that is not there", { born: "1995-02-29" }, "a date as YYYY-MM-DD"],
    ["a date in another form", { born: "1/2/1995" }, "a date as YYYY-MM-DD"],
    ["a date with a time", { born: "1995-02-01T10:00:00Z" }, "a date as YYYY-MM-DD"],
    ["a script as a link", { site: "javascript:alert(1)" }, "an http or https address"],
    ["a link with another scheme", { site: "ftp://soup.example" }, "an http or https address"],
    ["a link without a host", { site: "https:///soup" }, "an http or https address"],
    ["a link without a scheme", { site: "soup.example" }, "an http or https address"],
    ["a link with a space", { site: "https://soup.example/a b" }, "an http or https address"],
    ["a link of 1,001 characters", { site: `https://soup.example/${"x".repeat(980)}` }, "site is too long"],
    ["a person who is not there", { mentors: [999_999] }, "a list of people"],
    ["people as a word", { mentors: "elin" }, "a list of at most 100 user IDs"],
    ["101 people", { mentors: Array.from({ length: 101 }, () => 1) }, "a list of at most 100 user IDs"],
    ["a list where a text is expected", { phone: [1] }, "'phone' must be a string"],
  ])("that is %s is refused, and nothing else of the call is stored", async (_, given, message) => {
    expect(await refusal(fill({ pronouns: "she/her", ...given }))).toContain(message);
    expect(await refusal(fillFor("dev", { pronouns: "she/her", ...given }))).toContain(message);
    expect(await profile()).toEqual({});
  });

  test("can be as long as the limit, counted in characters", async () => {
    await expectSuccess(fill({ phone: "🐙".repeat(50), story: "x".repeat(500) }));
    expect((await profile())[ids.phone].value).toBe("🐙".repeat(50));
  });

  test("names people of the organization: no bots, nobody of another organization", async () => {
    for (const name of ["echo", "zed"] as const) {
      expect(await refusal(fill({ mentors: [harness.user(name).id] }))).toContain("a list of people");
    }
    const text = `[${harness.user("gus").id}]`;
    await expectSuccess(fill({ mentors: text }));
    expect(await profile()).toEqual({ [ids.mentors]: { value: text } });
  });

  test("is rendered with the organization's people and public channels", async () => {
    const open = await harness.channel("open kitchen", ["dev"]);
    await harness.channel("secret kitchen", ["dev"], { isPrivate: true });
    await expectSuccess(fill({ story: "@**Elin Berg** #**open kitchen** #**secret kitchen**" }));
    const { rendered_value: html } = (await profile())[ids.story];
    expect(html).toContain(`data-user-id="${harness.user("elin").id}"`);
    expect(html).toContain(`data-stream-id="${open.id}"`);
    expect(html).toContain("#<strong>secret kitchen</strong>");
  });

  test("of a hostile text is harmless HTML", async () => {
    await expectSuccess(fill({ phone: "<img src=x onerror=alert(1)>" }));
    expect((await profile())[ids.phone].rendered_value).not.toContain("<img");
  });
});

describe("changing a value", () => {
  const heardBy = async (name: CastName, verb: () => Promise<unknown>) => {
    const listener = await listen(harness.as(name), { event_types: ["realm_user"] });
    await verb();
    return (await listener.heard()).map(({ person }) => person);
  };

  test("reaches everyone in the organization, with an event for what differs", async () => {
    await expectSuccess(fill({ pronouns: "she/her", born: "1996-02-29" }));
    const stranger = await listen(harness.as("zed"), { event_types: ["realm_user"] });
    const heard = await heardBy("gus", async () => {
      await expectSuccess(fill({ pronouns: "she/her", phone: "*1*", born: "" }));
      await expectSuccess(clear(["pronouns", "github"]));
    });
    const user_id = harness.user("dev").id;
    expect(heard).toEqual([
      {
        user_id,
        custom_profile_field: { id: ids.phone, value: "*1*", rendered_value: "<p><em>1</em></p>" },
      },
      { user_id, custom_profile_field: { id: ids.born, value: null } },
      { user_id, custom_profile_field: { id: ids.pronouns, value: null } },
    ]);
    expect(await stranger.heard()).toEqual([]);
    expect(Object.keys(await profile())).toEqual([String(ids.phone)]);
  });

  test("to what it is gives no event, and the last of two values of a field counts", async () => {
    await expectSuccess(fill(everything));
    expect(await heardBy("gus", () => expectSuccess(fill(everything)))).toEqual([]);
    const data = ["a", "b"].map((value) => ({ id: ids.pronouns, value }));
    const twice = () => expectSuccess(harness.as("dev").patch("/users/me/profile_data", { data }));
    expect(await heardBy("gus", twice)).toMatchObject([{ custom_profile_field: { value: "b" } }]);
  });

  test("of an unknown field or one of another organization is refused", async () => {
    const { id } = await expectSuccess(
      harness.as("zed").post("/realm/profile_fields", { name: "Theirs", field_type: 1 }),
    );
    for (const missing of [id, 999_999]) {
      const data = [{ id: missing, value: "x" }];
      const path = `/users/${harness.user("dev").id}`;
      const message = `Field id ${missing} not found.`;
      expect(await refusal(harness.as("dev").patch("/users/me/profile_data", { data }))).toBe(message);
      const own = harness.as("dev").delete("/users/me/profile_data", { data: [missing] });
      expect(await refusal(own)).toBe(message);
      expect(await refusal(harness.as("ada").patch(path, { profile_data: data }))).toBe(message);
    }
  });

  test("of a field that people may not change is for administrators, of their own too", async () => {
    const message = "You are not allowed to change this field. Contact an administrator to update it.";
    for (const name of ["cleo", "dev", "gus"] as const) {
      expect(await refusal(fill({ badge: "7" }, name))).toBe(message);
    }
    await expectSuccess(fillFor("dev", { badge: "7" }));
    expect(await refusal(clear(["badge"]))).toBe(message);
    expect(await profile()).toMatchObject({ [ids.badge]: { value: "7" } });
    await expectSuccess(fill({ badge: "1" }, "ben"));
    expect(await profile("ben")).toMatchObject({ [ids.badge]: { value: "1" } });
  });

  test("of a required field to nothing is accepted", async () => {
    const path = `/realm/profile_fields/${ids.pronouns}`;
    await expectSuccess(harness.as("ada").patch(path, { required: true }));
    await expectSuccess(fill({ pronouns: "she/her" }));
    await expectSuccess(clear(["pronouns"]));
    expect(await profile()).toEqual({});
    await expectSuccess(harness.as("ada").patch(path, { required: false }));
  });

  test("is not for bots", async () => {
    expect(await refusal(fill({ phone: "1" }, "echo"))).toContain("does not accept bot requests");
    expect(await refusal(clear(["phone"], "echo"))).toContain("does not accept bot requests");
    expect(await refusal(fillFor("echo", { phone: "1" }))).toContain("Bots can't have values");
    expect(await harness.services.database.query(sql`select 1 from profile_field_values`)).toEqual([]);
  });
});

describe("an administrator", () => {
  test("changes another's values together with the name, all or nothing", async () => {
    const path = `/users/${harness.user("elin").id}`;
    const update = (profile_data: object[]) =>
      harness.as("ben").patch(path, { full_name: "Elin Lund", profile_data });
    const bad = { id: ids.born, value: "tomorrow" };
    expect((await update([{ id: ids.pronouns, value: "she/her" }, bad])).status).toBe(400);
    expect(await profile("elin")).toEqual({});
    expect((await harness.as("ada").get(path)).body.user.full_name).toBe("Elin Berg");
    await expectSuccess(update([{ id: ids.pronouns, value: "she/her" }]));
    expect(await profile("elin")).toEqual({ [ids.pronouns]: { value: "she/her" } });
    expect((await harness.as("ada").get(path)).body.user.full_name).toBe("Elin Lund");
    const byEmail = harness.as("ben").patch("/users/elin@demo.test", {
      full_name: "Elin Berg",
      profile_data: [{ id: ids.pronouns, value: null }],
    });
    await expectSuccess(byEmail);
    expect(await profile("elin")).toEqual({});
  });

  test.each(["cleo", "dev", "gus", "echo"] as const)("is not %s", async (name) => {
    expect((await fillFor("elin", { phone: "1" }, name)).body.code).toBe("UNAUTHORIZED_PRINCIPAL");
    expect(await profile("elin")).toEqual({});
  });
});

describe("the values of people go away", () => {
  test("with their option", async () => {
    const { id } = await expectSuccess(
      harness.as("ada").post("/realm/profile_fields", { ...fields.editor, name: "Second editor" }),
    );
    const choose = (name: CastName, value: string) =>
      expectSuccess(harness.as(name).patch("/users/me/profile_data", { data: [{ id, value }] }));
    await choose("dev", "0");
    await choose("gus", "1");
    const field_data = { 1: { text: "GNU Emacs", order: "1" }, 2: { text: "Ed", order: "2" } };
    await expectSuccess(harness.as("ada").patch(`/realm/profile_fields/${id}`, { field_data }));
    expect(await profile("dev")).toEqual({});
    expect(await profile("gus")).toEqual({ [id]: { value: "1" } });
    // An option with the same key is another one.
    const again = { ...field_data, 0: { text: "Vi", order: "3" } };
    await expectSuccess(harness.as("ada").patch(`/realm/profile_fields/${id}`, { field_data: again }));
    expect(await profile("dev")).toEqual({});
    await expectSuccess(harness.as("ada").delete(`/realm/profile_fields/${id}`));
  });

  test("with their field, and those of other fields stay", async () => {
    const { id } = await expectSuccess(
      harness.as("ada").post("/realm/profile_fields", { name: "Short-lived", field_type: 1 }),
    );
    const data = [{ id, value: "x" }, ...entries({ phone: "1" })];
    await expectSuccess(harness.as("dev").patch("/users/me/profile_data", { data }));
    await expectSuccess(harness.as("ada").delete(`/realm/profile_fields/${id}`));
    expect(Object.keys(await profile())).toEqual([String(ids.phone)]);
  });
});

test("a person makes a limited number of changes in an hour", async () => {
  await expectSuccess(fill({ phone: "1" }));
  // On a development server everybody has an administrator's limits.
  const use = sql`update quota_usage set used = 5000 where quota = 'profile values'`;
  await harness.services.database.query(use);
  const { status, body } = await fill({ phone: "2" });
  expect([status, body.code]).toEqual([429, "RATE_LIMIT_HIT"]);
  expect((await profile())[ids.phone].value).toBe("1");
  await expectSuccess(fill({ phone: "1" }));
});
