import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Role, roles } from "../../../api/roles.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { OrganizationState } from "../../platform/log/organization-state.ts";
import { notificationBotOf } from "../notification-bot.ts";
import { type User, users } from "../user.ts";
import { permitEmailChanges } from "./permit-email-changes.ts";

let harness: Harness;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
});
afterAll(() => harness.close());

const idOf = (name: CastName) => harness.user(name).id;
const update = (by: CastName, target: CastName | number, change: Record<string, unknown>) =>
  harness.as(by).patch(`/users/${typeof target === "number" ? target : idOf(target)}`, change);
const userOf = (name: CastName) => harness.state.get(users).find(idOf(name));

describe("an administrator", () => {
  test("gives people and bots another name, which everybody learns", async () => {
    const guest = await listen(harness.as("gus"), { event_types: ["realm_user"] });
    const stranger = await listen(harness.as("zed"), { event_types: ["realm_user"] });
    await expectSuccess(update("ben", "dev", { full_name: " Dev Raman " }));
    await expectSuccess(update("ben", "echo", { full_name: "Echo Once Bot" }));
    expect(await guest.heard()).toEqual([
      { type: "realm_user", op: "update", person: { user_id: idOf("dev"), full_name: "Dev Raman" } },
      { type: "realm_user", op: "update", person: { user_id: idOf("echo"), full_name: "Echo Once Bot" } },
    ]);
    expect(await stranger.heard()).toEqual([]);
    expect((await harness.as("gus").get("/users/dev@demo.test")).body.user.full_name).toBe("Dev Raman");
  });

  test("gives people another role, and their groups follow", async () => {
    const guest = await listen(harness.as("gus"), { event_types: ["realm_user", "user_group"] });
    await expectSuccess(update("ben", "dev", { role: roles.moderator }));
    const { body } = await harness.as("gus").get("/user_groups");
    const groups: { id: number; name: string }[] = body.user_groups;
    const heard = await guest.heard();
    expect(heard[0]).toEqual({
      type: "realm_user",
      op: "update",
      person: { user_id: idOf("dev"), role: roles.moderator },
    });
    const named = heard.slice(1).map(({ op, group_id, user_ids }) => ({
      op,
      group: groups.find(({ id }) => id === group_id)?.name,
      user_ids,
    }));
    expect(named).toEqual(
      expect.arrayContaining([
        { op: "remove_members", group: "role:members", user_ids: [idOf("dev")] },
        { op: "add_members", group: "role:moderators", user_ids: [idOf("dev")] },
      ]),
    );
  });

  test("names the user by an email address too", async () => {
    await expectSuccess(harness.as("ben").patch("/users/dev@demo.test", { full_name: "Dev One" }));
    await expectSuccess(harness.as("ben").patch(`/users/user${idOf("dev")}@${HOST}`, { role: roles.guest }));
    expect(userOf("dev")).toMatchObject({ fullName: "Dev One", role: roles.guest });
    expect(await refusal(harness.as("ben").patch("/users/zed@other.test", { role: roles.guest }))).toBe(
      "No such user",
    );
  });

  test("changes nothing by a change to the present values, and nobody gets an event", async () => {
    const guest = await listen(harness.as("gus"));
    await expectSuccess(update("ben", "dev", {}));
    await expectSuccess(update("ben", "dev", { full_name: "Dev Rao", role: roles.member }));
    expect(await guest.heard()).toEqual([]);
  });

  test("changes a deactivated person", async () => {
    await expectSuccess(harness.as("ada").delete(`/users/${idOf("dev")}`));
    await expectSuccess(update("ben", "dev", { role: roles.guest }));
    expect(userOf("dev")).toMatchObject({ isActive: false, role: roles.guest });
  });

  test("can make changes that last", async () => {
    await expectSuccess(update("ben", "dev", { full_name: "Dev Raman", role: roles.guest }));
    const { database, organizationId, parts } = harness.state;
    const there = await OrganizationState.load(database, organizationId, parts);
    expect(there.get(users).find(idOf("dev"))).toMatchObject({ fullName: "Dev Raman", role: roles.guest });
  });
});

test.each(["cleo", "dev", "gus", "echo"] as const)(
  "%s, who is no administrator, is refused",
  async (name) => {
    const { status, body } = await update(name, "elin", { full_name: "Elin Other" });
    expect([status, body.code]).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
    expect(userOf("elin")?.fullName).toBe("Elin Berg");
  },
);

test.each([
  ["an unknown id", () => 999_999],
  ["an id of another organization", () => idOf("zed")],
  ["an account of the service", () => notificationBotOf(harness.state).id],
])("%s is no user to change", async (_, id) => {
  expect(await refusal(update("ada", id(), { full_name: "Some Body" }))).toBe("No such user");
});

test.each([
  ["a name of one letter", "H", "2 to 100"],
  ["a blank name", "  ", "2 to 100"],
  ["a name of 101 letters", "h".repeat(101), "2 to 100"],
  ["a name with a forbidden character", "Hal `Roe`", "Invalid format"],
  ["a name with a line break", "Hal\nRoe", "Invalid format"],
  ["a name that ends like a mention", "Hal|12", "Invalid format"],
])("%s is refused", async (_, name, message) => {
  expect(await refusal(update("ada", "dev", { full_name: name, role: roles.guest }))).toContain(message);
  expect(userOf("dev")).toMatchObject({ fullName: "Dev Rao", role: roles.member });
});

test("a name that another active user has is refused only if names must be unique", async () => {
  await expectSuccess(update("ada", "dev", { full_name: "elin berg" }));
  await expectSuccess(update("ada", "dev", { full_name: "Dev Rao" }));
  await expectSuccess(harness.as("ada").patch("/realm", { require_unique_names: true }));
  expect(await refusal(update("ada", "dev", { full_name: "elin berg" }))).toContain("already in use");
  await expectSuccess(update("ada", "dev", { full_name: "DEV RAO" }));
  await expectSuccess(harness.as("ada").delete(`/users/${idOf("elin")}`));
  await expectSuccess(update("ada", "dev", { full_name: "Elin Berg" }));
});

describe("owners", () => {
  const refusedToAdministrators = async (target: CastName, change: Record<string, unknown>) => {
    const { status, body } = await update("ben", target, change);
    expect([status, body.code, body.msg]).toEqual([
      400,
      "UNAUTHORIZED_PRINCIPAL",
      "Must be an organization owner",
    ]);
  };

  test("are made and unmade by owners alone", async () => {
    await refusedToAdministrators("dev", { role: roles.owner });
    await refusedToAdministrators("ben", { role: roles.owner });
    await refusedToAdministrators("echo", { role: roles.owner });
    await expectSuccess(update("ada", "dev", { role: roles.owner }));
    await refusedToAdministrators("dev", { role: roles.member });
    await expectSuccess(update("dev", "ada", { role: roles.member }));
    expect(userOf("ada")?.role).toBe(roles.member);
  });

  test("can't be changed by administrators at all", async () => {
    await refusedToAdministrators("ada", { full_name: "Ada Other" });
    await refusedToAdministrators("ada", {});
    expect(userOf("ada")?.fullName).toBe("Ada Osei");
  });

  test("always remain: the only one keeps the role", async () => {
    const attempt = () => refusal(update("ada", "ada", { role: roles.administrator }));
    const only = "The owner permission cannot be removed from the only organization owner.";
    expect(await attempt()).toBe(only);
    // Neither a bot nor a deactivated person counts.
    await expectSuccess(update("ada", "echo", { role: roles.owner }));
    await expectSuccess(update("ada", "dev", { role: roles.owner }));
    await expectSuccess(harness.as("ada").delete(`/users/${idOf("dev")}`));
    expect(await attempt()).toBe(only);
    await expectSuccess(update("ada", "elin", { role: roles.owner }));
    await expectSuccess(update("ada", "ada", { role: roles.administrator }));
  });
});

test("a role that there is not is refused", async () => {
  for (const role of [0, 150, 700, "owner"]) expect((await update("ada", "dev", { role })).status).toBe(400);
  expect(userOf("dev")?.role).toBe(roles.member);
});

describe("a former administrator", () => {
  test("loses an administrator's rights with the next call", async () => {
    await expectSuccess(update("ben", "dev", { full_name: "Dev Two" }));
    await expectSuccess(update("ada", "ben", { role: roles.member }));
    expect((await update("ben", "dev", { full_name: "Dev Three" })).body.code).toBe("UNAUTHORIZED_PRINCIPAL");
    expect((await harness.as("ben").patch("/realm", { name: "Mine" })).body.code).toBe(
      "UNAUTHORIZED_PRINCIPAL",
    );
  });

  test("gets no more events of private channels, and can't fetch them", async () => {
    const leads = await harness.channel("leads", ["ada"], { isPrivate: true });
    const queue = await listen(harness.as("ben"), { event_types: ["stream", "subscription"] });
    const edit = (description: string) =>
      expectSuccess(harness.as("ada").patch(`/streams/${leads.id}`, { description }));
    await edit("First");
    expect(await queue.heard()).toMatchObject([{ op: "update", value: "First" }]);
    await expectSuccess(update("ada", "ben", { role: roles.member }));
    expect(await queue.heard()).toMatchObject([{ type: "stream", op: "delete", stream_ids: [leads.id] }]);
    await edit("Second");
    const add = { subscriptions: [{ name: "leads" }], principals: [idOf("elin")] };
    await expectSuccess(harness.as("ada").post("/users/me/subscriptions", add));
    expect(await queue.heard()).toEqual([]);
    expect((await harness.as("ben").get(`/streams/${leads.id}`)).status).toBe(400);
    const { streams } = (await harness.as("ben").post("/register", { include_subscribers: true })).body;
    expect(streams.map(({ name }: { name: string }) => name)).not.toContain("leads");
  });

  test("who becomes a guest gets no more messages of public channels through an old queue", async () => {
    await harness.channel("lounge", ["ada"]);
    const queue = await listen(harness.as("ben"), { event_types: ["message"], all_public_streams: true });
    const say = () =>
      expectSuccess(
        harness.as("ada").post("/messages", { type: "channel", to: "lounge", topic: "x", content: "y" }),
      );
    await say();
    expect(await queue.heard()).toHaveLength(1);
    await expectSuccess(update("ada", "ben", { role: roles.guest }));
    await say();
    expect(await queue.heard()).toEqual([]);
  });
});

describe("an email address", () => {
  const permit = (name: CastName, isPermitted = true) =>
    runStateChange(harness.state, (tx) => permitEmailChanges(tx, userOf(name) as User, isPermitted));

  test("is changed only by those whom the operator let do that", async () => {
    const change = { new_email: "dev.rao@demo.test" };
    for (const name of ["ada", "ben"] as const) {
      expect(await refusal(update(name, "dev", change))).toBe("User not authorized to change user emails");
    }
    await permit("ben");
    await harness.as("ada").patch("/realm", { default_avatar_source: "G" });
    const guest = await listen(harness.as("gus"), { event_types: ["realm_user"], client_gravatar: true });
    await expectSuccess(update("ben", "dev", change));
    const user_id = idOf("dev");
    expect((await guest.heard()).map(({ person }) => person)).toEqual([
      { user_id, new_email: "dev.rao@demo.test" },
      expect.objectContaining({ user_id, avatar_source: "G", avatar_url: null }),
      { user_id, delivery_email: "dev.rao@demo.test" },
    ]);
    await harness.as("ada").patch("/realm", { default_avatar_source: "J" });
    expect(await refusal(update("ben", "ada", { new_email: "x@demo.test" }))).toContain("owner");
    await permit("ben", false);
    expect(await refusal(update("ben", "dev", { new_email: "y@demo.test" }))).toContain("not authorized");
  });

  test("must be one, and must be free", async () => {
    await permit("ada");
    expect(await refusal(update("ada", "dev", { new_email: "hal" }))).toContain("Invalid email");
    expect(await refusal(update("ada", "dev", { new_email: "ELIN@demo.test" }))).toContain("in use");
    const anothers = `user${idOf("elin")}@${HOST}`;
    expect(await refusal(update("ada", "dev", { new_email: anothers }))).toContain("Invalid email");
    await expectSuccess(update("ada", "dev", { new_email: "DEV@demo.test" }));
  });
});

test.each(Object.values(roles))(
  "two people can't both take the other's role of %s at once",
  async (role: Role) => {
    await expectSuccess(update("ada", "ben", { role: roles.owner }));
    const lower = role === roles.owner ? roles.administrator : role;
    const answers = await Promise.all([
      update("ada", "ben", { role: lower }),
      update("ben", "ada", { role: lower }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  },
);
