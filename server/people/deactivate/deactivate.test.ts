import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { Node } from "../../../test/harness/node.ts";
import { notificationBotOf } from "../notification-bot.ts";
import { users } from "../user.ts";

let harness: Harness;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
});
afterAll(() => harness.close());

const idOf = (name: CastName) => harness.user(name).id;
const end = (by: CastName, target: CastName, params = {}) =>
  harness.as(by).delete(`/users/${idOf(target)}`, params);
const restore = (by: CastName, target: CastName) => harness.as(by).post(`/users/${idOf(target)}/reactivate`);
const isActive = (name: CastName) => harness.state.get(users).find(idOf(name))?.isActive;

describe("deactivating a person", () => {
  test("ends their calls, their queues and their bots, and everybody learns of it", async () => {
    const queue = await listen(harness.as("ben"));
    const guest = await listen(harness.as("gus"), { event_types: ["realm_user"] });
    await expectSuccess(end("ada", "ben", { deactivation_notification_comment: "Farewell" }));
    expect((await harness.as("ben").get("/users/me")).status).toBe(401);
    expect((await harness.as("echo").get("/users/me")).status).toBe(401);
    const gone = [idOf("ben"), idOf("echo")].map((user_id) => ({ user_id, is_active: false }));
    expect((await guest.heard()).map(({ person }) => person)).toEqual(gone);
    await expectSuccess(restore("ada", "ben"));
    const poll = { queue_id: queue.queueId, last_event_id: queue.snapshot.last_event_id, dont_block: true };
    expect((await harness.as("ben").get("/events", poll)).body.code).toBe("BAD_EVENT_QUEUE_ID");
  });

  test("keeps them in the directory", async () => {
    await expectSuccess(end("ben", "dev"));
    const { body } = await harness.as("gus").post("/register", { fetch_event_types: ["realm_user"] });
    const ids = (list: { user_id: number }[]) => list.map(({ user_id }) => user_id);
    expect(ids(body.realm_users)).not.toContain(idOf("dev"));
    expect(ids(body.realm_non_active_users)).toContain(idOf("dev"));
    expect((await harness.as("gus").get(`/users/${idOf("dev")}`)).body.user.is_active).toBe(false);
  });

  test("takes them out of groups and channels until they return", async () => {
    const lounge = await harness.channel("lounge", ["ada", "dev"]);
    const group = { name: "cooks", description: "", members: [idOf("dev")] };
    const { group_id } = await expectSuccess(harness.as("ada").post("/user_groups/create", group));
    const queue = await listen(harness.as("ada"), { event_types: ["subscription", "user_group"] });
    await expectSuccess(end("ada", "dev"));
    const left = await queue.heard();
    const peers = { type: "subscription", stream_ids: [lounge.id], user_ids: [idOf("dev")] };
    expect(left).toContainEqual({ ...peers, op: "peer_remove" });
    expect(left).toContainEqual({
      type: "user_group",
      op: "remove_members",
      group_id,
      user_ids: [idOf("dev")],
    });
    await expectSuccess(restore("ada", "dev"));
    const returned = await queue.heard();
    expect(returned).toContainEqual({ ...peers, op: "peer_add" });
    expect(returned).toContainEqual({
      type: "user_group",
      op: "add_members",
      group_id,
      user_ids: [idOf("dev")],
    });
  });

  test("is refused to all but administrators, and nothing happens", async () => {
    for (const name of ["cleo", "dev", "gus", "echo"] as const) {
      expect((await end(name, "elin")).body.code).toBe("UNAUTHORIZED_PRINCIPAL");
      expect((await restore(name, "elin")).body.code).toBe("UNAUTHORIZED_PRINCIPAL");
    }
    expect(isActive("elin")).toBe(true);
  });

  test("is refused for owners unless an owner asks, and for the only owner", async () => {
    const { body } = await end("ben", "ada");
    expect([body.code, body.msg]).toEqual(["UNAUTHORIZED_PRINCIPAL", "Must be an organization owner"]);
    expect(await refusal(end("ada", "ada"))).toBe("Cannot deactivate the only organization owner");
    await expectSuccess(harness.as("ada").patch(`/users/${idOf("ben")}`, { role: roles.owner }));
    await expectSuccess(end("ben", "ada"));
    expect((await restore("ben", "ada")).status).toBe(200);
  });

  test("is refused for bots, unknown people and people who are deactivated", async () => {
    expect(await refusal(end("ada", "echo"))).toBe("No such user");
    expect(await refusal(end("ada", "zed"))).toBe("No such user");
    const bot = notificationBotOf(harness.state).id;
    expect(await refusal(harness.as("ada").delete(`/users/${bot}`))).toBe("No such user");
    await expectSuccess(end("ada", "dev"));
    expect(await refusal(end("ada", "dev"))).toBe("User is deactivated");
  });

  test("takes a comment of 2000 characters at most", async () => {
    const comment = { deactivation_notification_comment: "x".repeat(2001) };
    expect((await end("ada", "dev", comment)).status).toBe(400);
    expect(isActive("dev")).toBe(true);
  });
});

describe("reactivating", () => {
  test("lets a person call again, with their old role, and everybody learns of it", async () => {
    await expectSuccess(end("ada", "cleo"));
    const guest = await listen(harness.as("gus"), { event_types: ["realm_user"] });
    await expectSuccess(restore("ben", "cleo"));
    expect((await guest.heard()).map(({ person }) => person)).toEqual([
      { user_id: idOf("cleo"), is_active: true },
    ]);
    expect((await harness.as("cleo").get("/users/me")).body.role).toBe(roles.moderator);
  });

  test("an active account changes nothing", async () => {
    const guest = await listen(harness.as("gus"));
    await expectSuccess(restore("ben", "cleo"));
    expect(await guest.heard()).toEqual([]);
  });

  test("a bot waits for its owner, and an owner for an owner", async () => {
    await expectSuccess(harness.as("ada").patch(`/users/${idOf("ben")}`, { role: roles.owner }));
    await expectSuccess(end("ada", "ben"));
    expect(await refusal(restore("ada", "echo"))).toBe("The owner of the bot is deactivated");
    await expectSuccess(harness.as("ada").patch(`/users/${idOf("cleo")}`, { role: roles.administrator }));
    expect((await restore("cleo", "ben")).body.code).toBe("UNAUTHORIZED_PRINCIPAL");
    await expectSuccess(restore("ada", "ben"));
    expect(isActive("echo")).toBe(false);
    await expectSuccess(restore("ada", "echo"));
    expect((await harness.as("echo").get("/users/me")).status).toBe(200);
  });

  test("an unknown account is refused", async () => {
    expect(await refusal(restore("ada", "zed"))).toBe("No such user");
  });
});

describe("deactivating one's own account (spec E13)", () => {
  test("works for everyone who is not the last", async () => {
    for (const name of ["gus", "dev", "ben"] as const) {
      await expectSuccess(harness.as(name).delete("/users/me"));
      expect((await harness.as(name).get("/users/me")).status).toBe(401);
    }
    expect(isActive("echo")).toBe(false);
  });

  test("is refused to the only owner", async () => {
    const { status, body } = await harness.as("ada").delete("/users/me");
    expect([status, body]).toEqual([
      400,
      {
        result: "error",
        code: "CANNOT_DEACTIVATE_LAST_USER",
        msg: "Cannot deactivate the only organization owner.",
        entity: "organization owner",
        is_last_owner: true,
      },
    ]);
  });

  test("is refused to the only user, and that error comes first", async () => {
    const { status, body } = await harness.as("zed").delete("/users/me");
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: "CANNOT_DEACTIVATE_LAST_USER",
      entity: "user",
      is_last_owner: false,
    });
  });

  test("lets one of two owners go who leave at once", async () => {
    await expectSuccess(harness.as("ada").patch(`/users/${idOf("ben")}`, { role: roles.owner }));
    const answers = await Promise.all(
      (["ada", "ben"] as const).map((name) => harness.as(name).delete("/users/me")),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

test("another node refuses the calls of a person whom one node has deactivated", async () => {
  const { config, database } = harness.services;
  const node = await Node.start(config, database.connection, {
    organizationId: harness.state.organizationId,
  });
  try {
    await expectSuccess(end("ada", "dev"));
    await node.state.catchUp();
    expect(node.state.get(users).find(idOf("dev"))?.isActive).toBe(false);
  } finally {
    await node.stop();
  }
});
