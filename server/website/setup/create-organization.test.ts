import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { roles } from "../../../api/roles.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { signIn } from "../../accounts/sign-in/sign-in.ts";
import { openServices } from "../../app.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { readConfig } from "../../config.ts";
import { groups, systemGroups } from "../../groups/group.ts";
import { settingOf } from "../../organization/setting.ts";
import { notificationBotOf } from "../../people/notification-bot.ts";
import { users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Services } from "../../services.ts";
import { createOrganization } from "./create-organization.ts";

let database: TestDatabase;
/** Two nodes on one database. */
let one: Services;
let other: Services;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = readConfig({ PARLEY_ENV: "development", PARLEY_LOG: "silent" });
  one = await openServices(config, pino({ level: "silent" }), database.connection);
  other = await openServices(config, pino({ level: "silent" }), database.connection);
});

afterAll(async () => {
  await one.database.close();
  await other.database.close();
  await database.drop();
});

const owner = { email: "ida@bakers.test", fullName: "Ida Moe", password: "rye and spelt" };

async function countHosts(host: string): Promise<number> {
  const [row] = await one.database.query<{ count: number }>(
    sql`select count(*) as count from organizations where host = ${host}`,
  );
  return row?.count ?? 0;
}

test("a new organization has an owner, system groups, a notification bot and a default channel", async () => {
  const { state, owner: viewer } = await createOrganization(one, {
    name: " Bakers ",
    host: "Bakers.Test",
    owner,
  });
  expect(viewer.user).toMatchObject({ email: owner.email, fullName: owner.fullName, role: roles.owner });
  expect([...state.get(groups).all()].map(({ name }) => name).sort()).toEqual(
    Object.values(systemGroups)
      .map(({ name }) => name)
      .sort(),
  );
  expect(notificationBotOf(state)).toMatchObject({ email: "notification-bot@bakers.test", isSystem: true });
  const [general] = [...state.get(channels).all()] as [Channel];
  expect(general).toMatchObject({ name: "general", isDefault: true, isPrivate: false });
  expect([...state.get(subscribers).of(general.id)]).toEqual([viewer.user.id]);
  expect(await one.organizations.byHost("bakers.test")).toBe(state);
});

test("an organization that people begin with announces in its first channel who joins", async () => {
  const begun = { name: "Potters", host: "potters.test", owner, hasFirstTopic: true };
  const { state } = await createOrganization(one, begun);
  const [general] = [...state.get(channels).all()] as [Channel];
  expect(settingOf(state, organizationSettings.signupAnnouncementsStreamId)).toBe(general.id);
  const { state: plain } = await createOrganization(one, { ...begun, host: "p.test", hasFirstTopic: false });
  expect(settingOf(plain, organizationSettings.signupAnnouncementsStreamId)).toBe(-1);
});

test("the owner of a new organization can sign in by password, on any node", async () => {
  const state = await other.organizations.byHost("bakers.test");
  if (!state) throw new Error("the other node does not know the organization");
  const request = { username: owner.email, password: owner.password, address: "127.0.0.1" };
  const { user } = await signIn(state, other.keyring, request);
  expect(user.id).toBe([...state.get(users).all()][0]?.id);
});

test("when two nodes create an organization at once, one succeeds", async () => {
  const request = { name: "Weavers", host: "weavers.test", owner };
  const outcomes = await Promise.allSettled(
    [one, other, one, other].map((node) => createOrganization(node, request)),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(String(outcome.reason)).toContain("weavers.test");
  }
  expect(await countHosts("weavers.test")).toBe(1);
});

test("two organizations do not share people", async () => {
  const { state } = await createOrganization(one, { name: "Smiths", host: "smiths.test", owner });
  expect([...state.get(users).all()]).toHaveLength(1);
});

const badName = "An organization's name must have 1 to 40 printable characters.";
const badLength = "A password must have 8 to 100 characters.";
test.each([
  ["an empty name", { name: "  " }, badName],
  ["a name with a line break", { name: "Bakers\nand thieves" }, badName],
  ["a name that is too long", { name: "x".repeat(41) }, badName],
  ["a text that is not a host name", { host: "bakers test" }, "'bakers test' is not a host name."],
  ["a text that is not an email address", { owner: { ...owner, email: "ida" } }, "Invalid email address."],
  ["a name that would break a mention", { owner: { ...owner, fullName: "Ida **Moe**" } }, "Invalid format!"],
  ["a short password", { owner: { ...owner, password: "rye" } }, badLength],
  [
    "a password of one repeated letter",
    { owner: { ...owner, password: "rrrrrrrrrrrr" } },
    "too easy to guess",
  ],
  ["a huge password", { owner: { ...owner, password: "rye and ".repeat(100_000) } }, badLength],
])("%s is refused, and nothing is stored", async (_, flaw, problem) => {
  await expect(
    createOrganization(one, { name: "Tilers", host: "tilers.test", owner, ...flaw }),
  ).rejects.toThrow(problem);
  expect(await countHosts("tilers.test")).toBe(0);
});
