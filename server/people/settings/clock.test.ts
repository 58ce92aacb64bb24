import { afterAll, beforeAll, expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { createUser } from "../actions.ts";
import { presentUserSettings } from "./user-setting.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const modern = { client_capabilities: { user_settings_object: true } };

async function has24Hours(name: "dev" | "elin") {
  const parameters = { fetch_event_types: ["user_settings"], ...modern };
  const { user_settings } = await expectSuccess(harness.as(name).post("/register", parameters));
  return (user_settings as Record<string, unknown>).twenty_four_hour_time;
}

const set = (name: "dev" | "elin", values: Record<string, unknown>) =>
  expectSuccess(harness.as(name).patch("/settings", values));

test("times follow the language until the person chooses", async () => {
  expect(await has24Hours("dev")).toBe(false);
  const own = await listen(harness.as("dev"), { event_types: ["user_settings"], ...modern });
  await set("dev", { default_language: "de" });
  expect(await own.heard()).toMatchObject([
    { property: "default_language", value: "de" },
    { property: "twenty_four_hour_time", value: true },
  ]);
  expect(await has24Hours("dev")).toBe(true);
  for (const code of ["fr", "en_GB", "ru", "ja", "pt_BR"]) {
    await set("dev", { default_language: code });
    expect([code, await has24Hours("dev")]).toEqual([code, true]);
  }
  await set("dev", { default_language: "en" });
  expect(await has24Hours("dev")).toBe(false);
});

test("what the person chose stays, also where it is what the language writes", async () => {
  await set("elin", { default_language: "de" });
  await set("elin", { twenty_four_hour_time: true });
  await set("elin", { default_language: "en" });
  expect(await has24Hours("elin")).toBe(true);
  await set("elin", { twenty_four_hour_time: false });
  const own = await listen(harness.as("elin"), { event_types: ["user_settings"], ...modern });
  await set("elin", { default_language: "de" });
  expect(await own.heard()).toMatchObject([{ property: "default_language" }]);
  expect(await has24Hours("elin")).toBe(false);
});

test("what the organization chose for people who join wins over its language", async () => {
  let number = 0;
  const join = async () => {
    const person = { fullName: "Ilse Kern", role: roles.member, passwordHash: null };
    const email = `clock${++number}@demo.test`;
    const user = await runStateChange(harness.state, (tx) =>
      createUser(tx, harness.services.keyring, { email, ...person }),
    );
    return (presentUserSettings(user) as Record<string, unknown>).twenty_four_hour_time;
  };
  const all = await listen(harness.as("ada"), { event_types: ["realm_user_settings_defaults"] });
  await expectSuccess(harness.as("ada").patch("/realm", { default_language: "de" }));
  expect(await all.heard()).toMatchObject([{ property: "twenty_four_hour_time", value: true }]);
  expect(await join()).toBe(true);
  const clock = (value: boolean) =>
    expectSuccess(harness.as("ada").patch("/realm/user_settings_defaults", { twenty_four_hour_time: value }));
  await clock(false);
  expect(await join()).toBe(false);
  await clock(true);
  await expectSuccess(harness.as("ada").patch("/realm", { default_language: "en" }));
  expect(await join()).toBe(true);
});
