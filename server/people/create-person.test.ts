import { afterAll, beforeAll, expect, test } from "vitest";
import { roles } from "../../api/roles.ts";
import { PASSWORD } from "../../test/harness/accounts.ts";
import { createHarness, type Harness, OTHER_HOST } from "../../test/harness/harness.ts";
import { listen } from "../../test/harness/listener.ts";
import { joinDefaultChannels } from "../channels/defaults/join-default-channels.ts";
import { subscribers } from "../channels/subscriptions/subscribers.ts";
import { createPerson } from "./create-person.ts";
import { users } from "./user.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("general", ["ada", "gus"], { isDefault: true });
  await harness.channel("design", ["ada"]);
});
afterAll(() => harness.close());

const faye = { email: "faye@demo.test", password: PASSWORD, full_name: "Faye Lind" };

test("an administrator creates a member, who is subscribed to the default channels and can sign in", async () => {
  const guest = await listen(harness.as("gus"), { event_types: ["realm_user"] });
  const outsider = await listen(harness.as("zed"), { event_types: ["realm_user"] });
  const { body } = await harness.as("ben").post("/users", faye);
  expect(body.result).toBe("success");
  const user = harness.state.get(users).find(body.user_id);
  expect(user).toMatchObject({
    email: faye.email,
    fullName: faye.full_name,
    role: roles.member,
    isActive: true,
  });
  expect(await guest.heard()).toMatchObject([
    { op: "add", person: { user_id: body.user_id, email: faye.email } },
  ]);
  expect(await outsider.heard()).toEqual([]);

  const { body: key } = await harness
    .nobody()
    .post("/fetch_api_key", { username: faye.email, password: faye.password });
  expect(key.user_id).toBe(body.user_id);
  const { body: streams } = await harness
    .as("ada")
    .get("/users/me/subscriptions", { include_subscribers: true });
  const inChannel = Object.fromEntries(
    streams.subscriptions.map((each: { name: string; subscribers: number[] }) => [
      each.name,
      each.subscribers.includes(body.user_id),
    ]),
  );
  expect(inChannel).toEqual({ general: true, design: false });
});

test("a new guest is subscribed to no channel", async () => {
  const { viewer } = harness.user("ada");
  const { id } = await createPerson(
    harness.services.keyring,
    viewer,
    {
      email: "gil@demo.test",
      fullName: "Gil Roe",
      password: PASSWORD,
      role: roles.guest,
    },
    joinDefaultChannels,
  );
  expect(harness.state.get(subscribers).has(harness.channelId("general"), id)).toBe(false);
});

test.each(["cleo", "dev", "gus", "echo"] as const)(
  "%s, who is not an administrator, can't create users",
  async (name) => {
    const size = harness.state.get(users).size;
    const { status, body } = await harness.as(name).post("/users", { ...faye, email: "new@demo.test" });
    expect([status, body.code]).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
    expect(harness.state.get(users).size).toBe(size);
  },
);

test.each([
  ["an email address that is taken", { email: "DEV@demo.test" }, "in use"],
  ["a text that is not an email address", { email: "hal" }, "Invalid email"],
  ["an address with a name before it", { email: "Hal <hal@demo.test>" }, "Invalid email"],
  ["an address that could stand for somebody's hidden one", { email: "USER4@demo.test" }, "Invalid email"],
  ["a name of one letter", { full_name: "H" }, "2 to 100"],
  ["a name that would break a mention", { full_name: "Hal **Roe**" }, "Invalid format"],
  ["a short password", { password: "short" }, "8 to 100"],
  ["a huge password", { password: "long and ".repeat(50_000) }, "8 to 100"],
])("%s is refused", async (_, flaw, message) => {
  const size = harness.state.get(users).size;
  const { status, body } = await harness
    .as("ada")
    .post("/users", { ...faye, email: "hal@demo.test", ...flaw });
  expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
  expect(body.msg).toContain(message);
  expect(harness.state.get(users).size).toBe(size);
});

test("an email address that is used in another organization is free in this one", async () => {
  const { body } = await harness
    .as("ada")
    .post("/users", { ...faye, email: "zed@other.test", full_name: "Zed Too" });
  expect(body.result).toBe("success");
  const there = await harness
    .nobody(OTHER_HOST)
    .post("/fetch_api_key", { username: "zed@other.test", password: faye.password });
  expect(there.body.code).toBe("AUTHENTICATION_FAILED");
});

test("a name that is taken is refused if names must be unique", async () => {
  await harness.as("ada").patch("/realm", { require_unique_names: true });
  const { body } = await harness
    .as("ada")
    .post("/users", { ...faye, email: "dev2@demo.test", full_name: "dev rao" });
  expect(body.msg).toContain("already in use");
});
