import { afterAll, beforeAll, expect, test } from "vitest";
import { type Role, roles } from "../../api/roles.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("general", ["ada", "dev", "gus", "echo"], { isDefault: true });
  await harness.channel("leads", ["ada", "cleo"], { isPrivate: true });
  await expectSuccess(harness.as("elin").patch("/settings", { email_address_visibility: 3 }));
  await expectSuccess(harness.as("cleo").patch("/settings", { email_address_visibility: 2 }));
});
afterAll(() => harness.close());

const idOf = (name: CastName) => harness.user(name).id;
const update = (name: CastName, change: Record<string, unknown>) =>
  expectSuccess(harness.as("ada").patch(`/users/${idOf(name)}`, change));

const steps: readonly (readonly [string, Role])[] = [
  ["a guest", roles.guest],
  ["an administrator", roles.administrator],
  ["an owner", roles.owner],
  ["a moderator", roles.moderator],
  ["a guest again", roles.guest],
  ["a member again", roles.member],
];

test.each(steps)("when a person becomes %s, everybody's clients stay right", async (_, role) => {
  const heard = await followAll(harness, everybody, () => update("dev", { role }));
  expect(eventNames(heard.gus)).toContain("realm_user/update");
  expect(eventNames(heard.dev)).toContain("realm_user/update");
});

test("a new name reaches everyone in the organization, and nobody else", () =>
  expectSilence(harness, { hears: "gus", silent: ["zed"] }, () => update("dev", { full_name: "Dev Raman" })));

test.each([2, 5, 3, 4, 1, 4, 1])("everybody's clients follow an address to the level %i", async (level) => {
  const heard = await followAll(harness, everybody, () =>
    expectSuccess(harness.as("dev").patch("/settings", { email_address_visibility: level })),
  );
  expect(eventNames(heard.dev)).toContain("user_settings/update");
});

test("a person who is deactivated and returns is as before for everyone who stays", async () => {
  const stay = everybody.filter((name) => name !== "dev");
  const url = `/users/${idOf("dev")}`;
  await followAll(harness, stay, () => expectSuccess(harness.as("ada").delete(url)));
  const heard = await followAll(harness, stay, () =>
    expectSuccess(harness.as("ada").post(`${url}/reactivate`)),
  );
  expect(eventNames(heard.gus)).toContain("realm_user/update");
});

test("an owner who leaves is gone for everyone who stays", async () => {
  await update("ben", { role: roles.owner });
  const stay = everybody.filter((name) => name !== "ben" && name !== "echo");
  const heard = await followAll(harness, stay, () => expectSuccess(harness.as("ben").delete("/users/me")));
  expect(eventNames(heard.gus)).toContain("realm_user/update");
});
