import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settingsWithOrganizationDefault } from "../../../api/administration/default-user-settings.ts";
import { userSettingList } from "../../../api/people/user-settings.ts";
import { roles } from "../../../api/roles.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { otherValue } from "../../../test/harness/other-value.ts";
import { organization } from "../../organization/organization.ts";
import { createUser } from "../../people/actions.ts";
import { presentUserSettings } from "../../people/settings/user-setting.ts";
import { type User, users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";

const PATH = "/realm/user_settings_defaults";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

let number = 0;

function join(bot?: { botType: number }): Promise<User> {
  const email = `newcomer${++number}@demo.test`;
  const person = { email, fullName: "Faye Lind", role: roles.member, passwordHash: null, ...bot };
  return runStateChange(harness.state, (tx) => createUser(tx, harness.services.keyring, person));
}

async function defaults(name: CastName = "dev") {
  const { body } = await harness
    .as(name)
    .post("/register", { fetch_event_types: ["realm_user_settings_defaults"] });
  return body.realm_user_settings_defaults;
}

test("people who join start with the organization's defaults, for each setting", async () => {
  const before = await join();
  const old = presentUserSettings(before);
  const chosen = Object.fromEntries(
    settingsWithOrganizationDefault.map(({ name, schema, default: value }) => [
      name,
      otherValue(schema, value) ?? value,
    ]),
  );
  const { body } = await harness.as("ada").patch(PATH, chosen);
  expect(body).toEqual({ result: "success", msg: "" });
  expect(presentUserSettings(await join())).toMatchObject(chosen);
  expect(presentUserSettings(harness.state.get(users).find(before.id))).toEqual(old);
  expect(await defaults()).toMatchObject(chosen);
});

test("a person keeps the defaults of the day of joining", async () => {
  await harness.as("ada").patch(PATH, { web_font_size_px: 18 });
  const person = await join();
  await harness.as("ada").patch(PATH, { web_font_size_px: 14 });
  expect(presentUserSettings(harness.state.get(users).find(person.id))).toMatchObject({
    web_font_size_px: 18,
  });
  expect(presentUserSettings(await join())).toMatchObject({ web_font_size_px: 14 });
});

test("bots do not start with the defaults for people", async () => {
  await harness.as("ada").patch(PATH, { web_font_size_px: 17 });
  expect(presentUserSettings(await join({ botType: 1 }))).toMatchObject({ web_font_size_px: 14 });
  expect(presentUserSettings(await join())).toMatchObject({ web_font_size_px: 17 });
});

test("people who join start in the organization's language", async () => {
  await harness.as("ada").patch("/realm", { default_language: "de" });
  expect(presentUserSettings(await join())).toMatchObject({ default_language: "de" });
  await harness.as("ada").patch("/realm", { default_language: "en" });
  expect(presentUserSettings(await join())).toMatchObject({ default_language: "en" });
});

test("the address of a person who joins is hidden at once where that is the default", async () => {
  await harness.as("ada").patch(PATH, { email_address_visibility: 4 });
  const guest = await listen(harness.as("gus"), { event_types: ["realm_user"] });
  const { id, email } = await join();
  expect(email).toContain("@demo.test");
  expect(await guest.heard()).toMatchObject([
    { op: "add", person: { user_id: id, email: `user${id}@demo.test`, delivery_email: null } },
  ]);
  await harness.as("ada").patch(PATH, { email_address_visibility: 1 });
});

test("everyone learns of each change, and of nothing that stays", async () => {
  await harness.as("ada").patch(PATH, { enter_sends: false, color_scheme: 1, left_side_userlist: false });
  const params = { event_types: ["realm_user_settings_defaults"] };
  const guest = await listen(harness.as("gus"), params);
  const stranger = await listen(harness.as("zed"), params);
  await harness.as("ada").patch(PATH, { enter_sends: true, color_scheme: 2, left_side_userlist: false });
  await harness.as("ada").patch(PATH, {});
  expect(await guest.heard()).toEqual([
    { type: "realm_user_settings_defaults", op: "update", property: "enter_sends", value: true },
    { type: "realm_user_settings_defaults", op: "update", property: "color_scheme", value: 2 },
  ]);
  expect(await stranger.heard()).toEqual([]);
  expect(await defaults("zed")).toMatchObject({ enter_sends: false, color_scheme: 1 });
});

describe("who may not change them", () => {
  test.each(["cleo", "dev", "gus", "echo"] as const)("%s", async (name) => {
    const before = await defaults();
    const { status, body } = await harness.as(name).patch(PATH, { fluid_layout_width: true });
    expect([status, body.msg]).toEqual([400, "Must be an organization administrator"]);
    expect(await defaults()).toEqual(before);
  });
});

test("a value that the setting can't have changes nothing", async () => {
  const before = await defaults();
  const { status } = await harness.as("ada").patch(PATH, { fluid_layout_width: true, color_scheme: 9 });
  expect(status).toBe(400);
  expect(await defaults()).toEqual(before);
});

describe("what is each person's own has no default, and counts as unsupported", () => {
  test.each(userSettingList.filter((setting) => !setting.hasOrganizationDefault).map(({ name }) => name))(
    "%s",
    async (name) => {
      const { body } = await harness.as("ada").patch(PATH, { [name]: "de" });
      expect(body).toEqual({ result: "success", msg: "", ignored_parameters_unsupported: [name] });
    },
  );
});

test("a stored default that its declaration does not allow counts as not chosen", async () => {
  const { database } = harness.services;
  const { organizationId } = harness.state;
  const stored = JSON.stringify({ color_scheme: 9, enter_sends: true });
  await database.query(
    sql`update organizations set default_user_settings = ${stored} where id = ${organizationId}`,
  );
  const loaded = await organization.load(database, organizationId);
  expect(loaded.defaultUserSettings).toEqual({ enter_sends: true });
});
