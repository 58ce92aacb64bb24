import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { userSettingList, userSettings } from "../../../api/people/user-settings.ts";
import { userSettingsEndpoint } from "../../../api/people/users.ts";
import { type SettingValue, type UserSetting, userSetting } from "../../../api/setting.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { otherValue } from "../../../test/harness/other-value.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { queuesOf } from "../../platform/queues/organization-queues.ts";
import type { User } from "../user.ts";
import { updateUserSettings } from "./update-settings.ts";
import { userSettingOf } from "./user-setting.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const modern = { client_capabilities: { notification_settings_null: true, user_settings_object: true } };

async function settingsOf(name: "dev" | "elin") {
  const { body } = await harness
    .as(name)
    .post("/register", { fetch_event_types: ["user_settings"], ...modern });
  return body.user_settings;
}

function valueFor(setting: UserSetting): SettingValue | undefined {
  if (setting.name === "timezone") return "Asia/Kolkata";
  if (setting.name === "default_language") return "de";
  return otherValue(setting.schema, setting.default);
}

// A setting with one choice can only have its default.
const changeable = userSettingList.filter(
  ({ schema }) => (schema as { enum?: unknown[] }).enum?.length !== 1,
);

describe("each setting can be changed, is announced to the user's own clients, and is there at the next start", () => {
  test.each(changeable.map((setting) => [setting.name, setting] as const))("%s", async (name, setting) => {
    const own = await listen(harness.as("dev"), { event_types: ["user_settings"], ...modern });
    const someone = await listen(harness.as("ada"), { event_types: ["user_settings"], ...modern });
    expect((await settingsOf("dev"))[name]).toEqual(setting.default);
    const value = valueFor(setting);
    const { body } = await harness.as("dev").patch("/settings", { [name]: value });
    expect(body).toEqual({ result: "success", msg: "" });
    expect(await own.heard()).toMatchObject([{ op: "update", property: name, value }]);
    expect(await someone.heard()).toEqual([]);
    expect((await settingsOf("dev"))[name]).toEqual(value);
    expect((await settingsOf("elin"))[name]).toEqual(setting.default);
  });
});

describe("a value that the setting can't have is refused", () => {
  test.each([
    ["a number out of range", { web_font_size_px: 500 }],
    ["a choice that there is not", { color_scheme: 9 }],
    ["a word for a truth", { enter_sends: "perhaps" }],
    ["a place where there is no time", { timezone: "Atlantis/Centre" }],
    ["an offset", { timezone: "+01:00" }],
    ["a language that nobody speaks", { default_language: "xx" }],
    ["a sound that there is not", { notification_sound: "thunder" }],
  ])("%s", async (_, params) => {
    const own = await listen(harness.as("elin"), modern);
    const before = await settingsOf("elin");
    const { status, body } = await harness
      .as("elin")
      .patch("/settings", { ...params, fluid_layout_width: true });
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(await own.heard()).toEqual([]);
    expect(await settingsOf("elin")).toEqual(before);
  });
});

test("setting a value again changes nothing", async () => {
  await harness.as("elin").patch("/settings", { twenty_four_hour_time: true });
  const own = await listen(harness.as("elin"), modern);
  await harness.as("elin").patch("/settings", { twenty_four_hour_time: true });
  await harness.as("elin").patch("/settings", {});
  expect(await own.heard()).toEqual([]);
});

test("a parameter that is not a setting is reported as unsupported", async () => {
  const { body } = await harness.as("elin").patch("/settings", { enter_sends: true, night_shift: true });
  expect(body).toEqual({ result: "success", msg: "", ignored_parameters_unsupported: ["night_shift"] });
});

test("clients without user_settings_object also get the older events, and others do not", async () => {
  const older = await listen(harness.as("elin"));
  const newer = await listen(harness.as("elin"), modern);
  await harness
    .as("elin")
    .patch("/settings", { high_contrast_mode: true, enable_sounds: false, send_read_receipts: false });
  const user = "elin@demo.test";
  expect((await older.heard()).filter(({ type }) => type !== "user_settings")).toEqual([
    { type: "update_display_settings", user, setting_name: "high_contrast_mode", setting: true },
    { type: "update_global_notifications", user, notification_name: "enable_sounds", setting: false },
  ]);
  expect((await newer.heard()).map(({ type }) => type)).toEqual([
    "user_settings",
    "user_settings",
    "user_settings",
  ]);
});

test("clients without user_settings_object get their settings at the top level, and others do not", async () => {
  const { body: older } = await harness
    .as("dev")
    .post("/register", { event_types: ["update_display_settings"] });
  expect(older).toMatchObject({ translate_emoticons: true, emojiset_choices: expect.any(Array) });
  const { body: newer } = await harness.as("dev").post("/register", modern);
  expect(newer).not.toHaveProperty("translate_emoticons");
});

test("another time zone is announced to everyone", async () => {
  const guest = await listen(harness.as("gus"), { event_types: ["realm_user"] });
  await harness.as("elin").patch("/settings", { timezone: "Europe/Oslo" });
  const person = { user_id: harness.user("elin").id, timezone: "Europe/Oslo", email: "elin@demo.test" };
  expect(await guest.heard()).toEqual([{ type: "realm_user", op: "update", person }]);
  expect((await harness.as("elin").get("/users/me")).body.timezone).toBe("Europe/Oslo");
});

test("a language is sent with its name in the language itself", async () => {
  const own = await listen(harness.as("elin"), { event_types: ["user_settings"], ...modern });
  await harness.as("elin").patch("/settings", { default_language: "nb" });
  expect(await own.heard()).toMatchObject([
    { property: "default_language", value: "nb", language_name: "norsk bokmål" },
  ]);
});

describe("a person's own name", () => {
  test("is changed together with settings, and everyone learns of it", async () => {
    const guest = await listen(harness.as("gus"), { event_types: ["realm_user"] });
    const { body } = await harness
      .as("elin")
      .patch("/settings", { full_name: " Elin Dahl Berg ", enter_sends: true });
    expect(body).toEqual({ result: "success", msg: "" });
    const person = { user_id: harness.user("elin").id, full_name: "Elin Dahl Berg" };
    expect(await guest.heard()).toEqual([{ type: "realm_user", op: "update", person }]);
    expect((await harness.as("elin").get("/users/me")).body.full_name).toBe("Elin Dahl Berg");
    expect((await settingsOf("elin")).enter_sends).toBe(true);
    await harness.as("elin").patch("/settings", { full_name: "Elin Dahl Berg" });
    expect(await guest.heard()).toEqual([]);
  });

  test("stays as it is where name_changes_disabled is set, except for administrators", async () => {
    await harness.as("ada").patch("/realm", { name_changes_disabled: true });
    const guest = await listen(harness.as("gus"), { event_types: ["realm_user"] });
    const { body } = await harness
      .as("cleo")
      .patch("/settings", { full_name: "Cleo", left_side_userlist: true });
    expect(body).toEqual({ result: "success", msg: "" });
    expect(await guest.heard()).toEqual([]);
    expect(harness.user("cleo").user).toMatchObject({ fullName: "Cleo Marsh" });
    expect(harness.user("cleo").user).toMatchObject({ settings: { left_side_userlist: true } });
    await harness.as("ben").patch("/settings", { full_name: "Ben Lund Ito" });
    await harness.as("ben").patch(`/users/${harness.user("cleo").id}`, { full_name: "Cleo Ek Marsh" });
    expect((await guest.heard()).map(({ person }) => person)).toEqual([
      { user_id: harness.user("ben").id, full_name: "Ben Lund Ito" },
      { user_id: harness.user("cleo").id, full_name: "Cleo Ek Marsh" },
    ]);
    await harness.as("ada").patch("/realm", { name_changes_disabled: false });
  });

  test.each([
    ["a name of one letter", "E", "2 to 100"],
    ["a name that would break a mention", "Elin **Berg**", "Invalid format"],
  ])("%s is refused, and changes no setting", async (_, full_name, message) => {
    const before = await settingsOf("elin");
    const { status, body } = await harness
      .as("elin")
      .patch("/settings", { full_name, fluid_layout_width: true });
    expect(status).toBe(400);
    expect(body.msg).toContain(message);
    expect(await settingsOf("elin")).toEqual(before);
  });

  test("is refused if another person has it, where require_unique_names is set", async () => {
    await harness.as("ada").patch("/realm", { require_unique_names: true });
    const { body } = await harness.as("elin").patch("/settings", { full_name: "dev rao" });
    expect(body.msg).toBe("The name 'dev rao' is already in use");
    await harness.as("ada").patch("/realm", { require_unique_names: false });
    expect((await harness.as("elin").patch("/settings", { full_name: "Dev Rao" })).status).toBe(200);
  });
});

test.each(["/settings/display", "/settings/notifications"])(
  "%s changes every setting, as /settings does",
  async (path) => {
    const own = await listen(harness.as("elin"), { event_types: ["user_settings"], ...modern });
    const changed = { web_font_size_px: 19, enable_digest_emails: false };
    const { body } = await harness.as("elin").patch(path, { ...changed, night_shift: true });
    expect(body).toEqual({ result: "success", msg: "", ignored_parameters_unsupported: ["night_shift"] });
    expect((await own.heard()).length).toBe(2);
    expect(await settingsOf("elin")).toMatchObject(changed);
    await harness.as("elin").patch("/settings", { web_font_size_px: 14, enable_digest_emails: true });
  },
);

test.each(["/settings", "/settings/display", "/settings/notifications"])(
  "%s changes all settings, and its events are those that its page names",
  async (path) => {
    const cleo = harness.as("cleo");
    const change = async (parameters: Record<string, unknown>) =>
      expect((await cleo.patch(path, parameters)).status).toBe(200);
    await cleo.post("/drafts", { drafts: [{ type: "private", to: [], topic: "", content: "Later" }] });
    await change({ enable_drafts_synchronization: false });
    await change({
      enable_drafts_synchronization: true,
      presence_enabled: false,
      starred_message_counts: false,
    });
    await change({
      presence_enabled: true,
      starred_message_counts: true,
      full_name: `Cleo of ${path.slice(1)}`,
    });
    await change({ timezone: path === "/settings" ? "Asia/Kolkata" : "Europe/Rome" });
    await change({ allow_private_data_export: true });
    await change({ allow_private_data_export: false });
  },
);

test("a new setting is one declaration: its parameter, its check, its event and its value come from it", async () => {
  const tea = userSetting({
    name: "afternoon_tea",
    schema: Type.Enum(["green", "black"]),
    default: "green",
    description: "Which tea one takes.",
  });
  const { parameters } = userSettingsEndpoint([tea], {
    name: "updateTea",
    path: "/tea",
    summary: "",
    description: "",
  });
  expect(parameters.afternoon_tea).toMatchObject({ required: false, encoding: "text", schema: tea.schema });
  const own = await listen(harness.as("elin"), { event_types: ["user_settings"], ...modern });
  const user = () => harness.user("elin").user as User;
  expect(userSettingOf(user(), tea)).toBe("green");
  const queue = queuesOf(harness.state).byId.get(own.queueId);
  await runStateChange(harness.state, (tx) => updateUserSettings(tx, user(), new Map([[tea, "black"]])));
  expect(userSettingOf(user(), tea)).toBe("black");
  // This event is not declared, so it is read from the queue, where the contract is not checked.
  expect(queue?.pending.map(({ json }) => JSON.parse(json))).toMatchObject([
    { type: "user_settings", op: "update", property: "afternoon_tea", value: "black" },
  ]);
});

test("the defaults for new people lack the settings without a default of the organization", async () => {
  const { body } = await harness
    .as("dev")
    .post("/register", { fetch_event_types: ["realm_user_settings_defaults"] });
  const defaults = body.realm_user_settings_defaults;
  for (const setting of userSettingList) {
    if (setting.hasOrganizationDefault) expect(defaults[setting.name]).toEqual(setting.default);
    else expect(defaults).not.toHaveProperty(setting.name);
  }
  expect(defaults).not.toHaveProperty(userSettings.timezone.name);
});
