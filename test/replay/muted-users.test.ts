import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { UserId } from "../../api/ids.ts";
import { mutedUsers } from "../../server/attention/muted-users/muted-users.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll, startAll } from "../harness/follow.ts";
import { type Answer, type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
let kitchen: number;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = (await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"])).id;
});
afterAll(() => harness.close());

beforeEach(async () => {
  for (const target of ["ben", "echo", "gus"] as const) await unmute("dev", target);
});

const mute = (name: CastName, target: CastName) =>
  harness.as(name).post(`/users/me/muted_users/${harness.user(target).id}`);
const unmute = (name: CastName, target: CastName) =>
  harness.as(name).delete(`/users/me/muted_users/${harness.user(target).id}`);

async function say(name: CastName, more: Record<string, unknown> = {}): Promise<number> {
  const message = { type: "channel", to: "kitchen", topic: "lunch", content: "Soup?", ...more };
  return (await expectSuccess(harness.as(name).post("/messages", message))).id;
}

const write = (name: CastName, people: CastName[]) =>
  say(name, { type: "direct", to: people.map((each) => harness.user(each).id), topic: undefined });

const flagsOf = async (name: CastName, id: number) =>
  (await expectSuccess(harness.as(name).get(`/messages/${id}`))).message.flags;

async function unreadOf(name: CastName): Promise<number[]> {
  const params = { anchor: "oldest", num_before: 0, num_after: 1000, narrow: [["is", "unread"]] };
  const { messages } = await expectSuccess(harness.as(name).get("/messages", params));
  return messages.map(({ id }: { id: number }) => id);
}

async function registeredUnread(name: CastName): Promise<number[]> {
  const { unread_msgs } = await expectSuccess(harness.as(name).post("/register", {}));
  const { streams, pms, huddles } = unread_msgs;
  const ids = [...streams, ...pms, ...huddles].flatMap(({ unread_message_ids }) => unread_message_ids);
  expect(unread_msgs.count).toBe(ids.length);
  return ids;
}

describe("muting a user", () => {
  test("reaches only the user's own clients, and so does unmuting", async () => {
    const others = everybody.filter((name) => name !== "dev");
    await expectSilence(harness, { hears: "dev", silent: others }, () => expectSuccess(mute("dev", "ben")));
    const { muted_users } = await expectSuccess(harness.as("dev").post("/register", {}));
    expect(muted_users).toEqual([{ id: harness.user("ben").id, timestamp: expect.any(Number) }]);
    await expectSilence(harness, { hears: "dev", silent: others }, () => expectSuccess(unmute("dev", "ben")));
    expect((await expectSuccess(harness.as("dev").post("/register", {}))).muted_users).toEqual([]);
  });

  test("marks all their earlier messages as read, and nothing else", async () => {
    const ids = [await say("ben"), await write("ben", ["dev"]), await write("ben", ["dev", "ada"])];
    const other = await say("ada");
    const heard = await followAll(harness, ["dev", "gus"], () => expectSuccess(mute("dev", "ben")));
    expect(eventNames(heard.dev)).toEqual(["muted_users", "update_message_flags/add"]);
    expect(heard.dev?.[1]).toMatchObject({ flag: "read", messages: ids, all: false });
    expect(eventNames(heard.gus)).toEqual([]);
    expect(await unreadOf("dev")).toEqual([other]);
    expect(await unreadOf("gus")).toEqual(expect.arrayContaining([ids[0], other]));
    await expectSuccess(
      harness.as("dev").post("/messages/flags", { messages: [other], op: "add", flag: "read" }),
    );
  });

  test("works for bots, and for several people", async () => {
    await expectSuccess(mute("dev", "echo"));
    await expectSuccess(mute("dev", "gus"));
    const { muted_users } = await expectSuccess(harness.as("dev").post("/register", {}));
    expect(muted_users.map(({ id }: { id: number }) => id)).toEqual([
      harness.user("echo").id,
      harness.user("gus").id,
    ]);
  });

  test("is known to a node that starts, and so is unmuting", async () => {
    await expectSuccess(mute("dev", "gus"));
    await expectSuccess(mute("dev", "ben"));
    await expectSuccess(unmute("dev", "ben"));
    const { database, organizationId, parts } = harness.state;
    const there = (await OrganizationState.load(database, organizationId, parts)).get(mutedUsers);
    const [dev, ben, gus] = [harness.user("dev"), harness.user("ben"), harness.user("gus")].map(
      ({ user }) => user.id,
    ) as [UserId, UserId, UserId];
    expect([there.mutersOf(ben), there.mutersOf(gus)]).toEqual([undefined, new Set([dev])]);
    expect([there.hasEverMuted(dev), there.hasEverMuted(gus)]).toEqual([true, false]);
  });

  test("has the date of the last time", async () => {
    await expectSuccess(mute("dev", "ben"));
    await expectSuccess(unmute("dev", "ben"));
    await harness.state.database.query(sql`update muted_users set muted_at = muted_at - interval '1 day'`);
    await expectSuccess(mute("dev", "ben"));
    const { muted_users } = await expectSuccess(harness.as("dev").post("/register", {}));
    expect(muted_users[0].timestamp).toBeGreaterThan(Date.now() / 1000 - 3600);
  });

  test("is refused for oneself, for unknown users and twice, and unmuting for unmuted people", async () => {
    const refusal = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
      return body.msg;
    };
    expect(await refusal(mute("dev", "dev"))).toBe("Cannot mute self");
    expect(await refusal(mute("dev", "zed"))).toBe("No such user");
    expect(await refusal(harness.as("dev").post("/users/me/muted_users/999999"))).toBe("No such user");
    expect(await refusal(unmute("dev", "ben"))).toBe("User is not muted");
    expect(await refusal(harness.as("dev").delete("/users/me/muted_users/999999"))).toBe("No such user");
    await expectSuccess(mute("dev", "ben"));
    expect(await refusal(mute("dev", "ben"))).toBe("User already muted");
  });
});

describe("a message of a muted person", () => {
  test("is read from the start for people who muted the sender, in channels and conversations", async () => {
    await expectSuccess(mute("dev", "ben"));
    const followers = await startAll(harness, ["dev", "gus"]);
    const ids = [
      await say("ben"),
      await say("ben", { content: "@**Dev Rao** soup?" }),
      await write("ben", ["dev"]),
      await write("ben", ["dev", "gus"]),
    ];
    const other = await say("ada");
    for (const follower of followers) await follower.catchUp();
    for (const follower of followers) await follower.compare();
    const heard = (name: CastName) =>
      followers
        .find(({ viewer }) => viewer === name)
        ?.events.filter(({ type }) => type === "message")
        .map(({ flags }) => flags);
    expect(heard("dev")).toEqual([["read"], ["read", "mentioned"], ["read"], ["read"], []]);
    expect(heard("gus")).toEqual([[], [], [], []]);
    expect([await unreadOf("dev"), await registeredUnread("dev")]).toEqual([[other], [other]]);
    expect(await flagsOf("dev", ids[0] as number)).toEqual(["read"]);
    expect(await flagsOf("gus", ids[0] as number)).toEqual([]);
    const first = { anchor: "first_unread", num_before: 0, num_after: 0 };
    expect((await expectSuccess(harness.as("dev").get("/messages", first))).anchor).toBe(other);
    await expectSuccess(
      harness.as("dev").post("/messages/flags", { messages: [other], op: "add", flag: "read" }),
    );
  });

  test("stays read after unmuting, while later messages are unread", async () => {
    await expectSuccess(mute("dev", "ben"));
    const during = await say("ben");
    await followAll(harness, ["dev"], () => expectSuccess(unmute("dev", "ben")));
    expect(await flagsOf("dev", during)).toEqual(["read"]);
    const after = await say("ben");
    expect(await unreadOf("dev")).toEqual([after]);
    await expectSuccess(
      harness.as("dev").post("/messages/flags", { messages: [after], op: "add", flag: "read" }),
    );
  });

  test("leaves no gap in a reader's ranges of read messages", async () => {
    await expectSuccess(mute("dev", "ben"));
    const ids = [await say("ben"), await say("ben"), await say("ada")];
    await expectSuccess(
      harness.as("dev").post("/messages/flags", { messages: [ids[2]], op: "add", flag: "read" }),
    );
    const [row] = await harness.state.database.query<{ isWhole: boolean }>(sql`
      select ranges @> int8range(${ids[0]}, ${ids[2]}, '[]') as "isWhole" from read_states
      where user_id = ${harness.user("dev").id} and recipient_id = ${kitchen}`);
    expect(row?.isWhole).toBe(true);
  });

  test("can be marked unread, and read again", async () => {
    await expectSuccess(mute("dev", "ben"));
    const id = await say("ben");
    const change = (op: string) =>
      expectSuccess(harness.as("dev").post("/messages/flags", { messages: [id], op, flag: "read" }));
    await followAll(harness, ["dev"], () => change("remove"));
    expect([await unreadOf("dev"), await registeredUnread("dev")]).toEqual([[id], [id]]);
    await followAll(harness, ["dev"], () => change("add"));
    expect(await unreadOf("dev")).toEqual([]);
  });

  test("stays read in another topic or channel, and when its text changes", async () => {
    await harness.channel("pantry", ["ada", "ben", "dev"]);
    await expectSuccess(mute("dev", "ben"));
    const id = await say("ben");
    await followAll(harness, ["dev"], () =>
      expectSuccess(harness.as("ben").patch(`/messages/${id}`, { content: "Stew?" })),
    );
    const { stream_id } = await expectSuccess(harness.as("ada").get("/get_stream_id", { stream: "pantry" }));
    await followAll(harness, ["dev"], () =>
      expectSuccess(harness.as("ada").patch(`/messages/${id}`, { stream_id })),
    );
    expect(await flagsOf("dev", id)).toEqual(["read"]);
    expect(await unreadOf("dev")).not.toContain(id);
  });
});
