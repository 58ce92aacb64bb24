import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MessageId, TopicId } from "../../api/ids.ts";
import { deleteMessages, MAX_DELETED } from "../../server/messages/delete/delete.ts";
import { sendMessage } from "../../server/messages/send/send.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { runContentChange } from "../../server/platform/log/change.ts";
import { expectSuccess, sayIn } from "../harness/answers.ts";
import { everybody, expectSilence, followAll, forms, startAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"]);
  await harness.channel("leads", ["ada", "ben"], { isPrivate: true });
});
afterAll(() => harness.close());

const say = sayIn(() => harness);

const tell = (name: CastName, to: CastName) =>
  say(name, [harness.user(to).id], { type: "direct", topic: undefined });

const remove = (name: CastName, id: number) => harness.as(name).delete(`/messages/${id}`);
const allow = (settings: Record<string, unknown>) =>
  expectSuccess(harness.as("ada").patch("/realm", settings));
const idOf = async (group: string) => {
  const { body } = await harness.as("ada").get("/user_groups");
  return body.user_groups.find(({ name }: { name: string }) => name === group).id;
};

/** Follows everyone while messages are sent, starred and changed by `change`, and compares. */
async function throughout(send: () => Promise<number>, change: (id: number) => Promise<void>) {
  const people = await startAll(harness, everybody);
  const id = await send();
  await expectSuccess(
    harness.as("ben").post("/messages/flags", { messages: [id], op: "add", flag: "starred" }),
  );
  for (const follower of people) await follower.catchUp();
  await change(id);
  for (const follower of people) {
    await follower.catchUp();
    await follower.compare();
  }
  return { id, people };
}

describe("a deleted message", () => {
  test("disappears for everyone who had it, with its flags and reactions", async () => {
    const { id } = await throughout(
      async () => {
        const id = await say("dev", "kitchen", { content: "@**Ben Ito** soup" });
        await expectSuccess(harness.as("gus").post(`/messages/${id}/reactions`, { emoji_name: "octopus" }));
        await expectSuccess(harness.as("dev").patch(`/messages/${id}`, { content: "@**Ben Ito** stew" }));
        return id;
      },
      (id) => expectSuccess(remove("ada", id)),
    );
    expect(await harness.as("dev").get(`/messages/${id}`)).toMatchObject({
      status: 400,
      body: { msg: "Invalid message(s)" },
    });
    const left = await harness.state.database.query(sql`
      select 'flags' as kept from message_flags where message_id = ${id}
      union all select 'reactions' from reactions where message_id = ${id}
      union all select 'edits' from message_edits where message_id = ${id}`);
    expect(left).toEqual([]);
    expect((await remove("ada", id)).body.msg).toBe("Invalid message(s)");
  });

  test("of a conversation sends an event to its people only", async () => {
    const id = await tell("dev", "ben");
    await expectSilence(harness, { hears: "ben", silent: ["ada", "gus", "zed"] }, () =>
      expectSuccess(remove("dev", id)),
    );
  });

  test("of a private channel sends no event to others", async () => {
    const id = await say("ada", "leads");
    await expectSilence(harness, { hears: "ben", silent: ["cleo", "dev", "gus", "zed"] }, () =>
      expectSuccess(remove("ada", id)),
    );
  });

  test("sends no event to people who joined a channel with protected history after it", async () => {
    await harness.channel("attic", ["ada", "ben"], { isPrivate: true });
    const id = await say("ada", "attic");
    const later = await harness.as("ada").post("/users/me/subscriptions", {
      subscriptions: [{ name: "attic" }],
      principals: [harness.user("elin").id],
    });
    expect(later.status).toBe(200);
    const isDeletion = ({ type }: { type: string }) => type === "delete_message";
    const deleting = () => expectSuccess(remove("ada", id));
    await expectSilence(harness, { hears: "ben", silent: ["elin"] }, deleting, isDeletion);
  });

  test("that was the channel's first makes the next message the first", async () => {
    const { id: channelId } = await harness.channel("pantry", ["ada", "dev"]);
    const first = await say("ada", "pantry");
    const second = await say("ada", "pantry");
    const shown = async () =>
      (await harness.as("dev").get(`/streams/${channelId}`)).body.stream.first_message_id;
    expect(await shown()).toBe(first);
    const heard = await followAll(harness, ["dev", "ada"], () => expectSuccess(remove("ada", first)));
    expect(heard.dev).toMatchObject([
      { type: "delete_message" },
      { type: "stream", op: "update", property: "first_message_id", value: second },
    ]);
    expect(await shown()).toBe(second);
    await followAll(harness, ["dev", "ada"], () => expectSuccess(remove("ada", second)));
    expect(await shown()).toBeNull();
  });

  test("names no message as the first that is moved away while it runs", async () => {
    const { id: channelId } = await harness.channel("scullery", ["ada", "dev"]);
    const first = await say("ada", "scullery", { topic: "wine" });
    const second = await say("ada", "scullery", { topic: "wood" });
    const third = await say("ada", "scullery", { topic: "coal" });
    const [row] = await harness.services.database.query<{ topicId: TopicId }>(
      sql`select topic_id as "topicId" from messages where id = ${first} and recipient_id = ${channelId}`,
    );
    const message = { id: first as MessageId, recipientId: channelId, userIds: null, topic: "wine" };
    let tries = 0;
    const heard = await followAll(harness, ["dev", "ada"], () =>
      runContentChange(harness.state, async (tx) => {
        tries++;
        await deleteMessages(tx, [{ ...message, topicId: row?.topicId as TopicId }]);
        const move = { stream_id: harness.channelId("kitchen"), send_notification_to_new_thread: false };
        if (tries === 1) await expectSuccess(harness.as("ada").patch(`/messages/${second}`, move));
      }),
    );
    expect(tries).toBe(2);
    const firsts = heard.dev?.filter(
      ({ property, stream_id }) => property === "first_message_id" && stream_id === channelId,
    );
    expect(firsts?.map(({ value }) => value)).toEqual([third]);
  });
});

describe("deleting", () => {
  test("an own message is refused without permission, and after the time limit", async () => {
    const id = await say("dev", "kitchen");
    await allow({ can_delete_own_message_group: { new: await idOf("role:moderators") } });
    expect((await remove("dev", id)).body.msg).toBe("You don't have permission to delete this message");
    await allow({ can_delete_own_message_group: { new: await idOf("role:members") } });
    await expectSuccess(remove("dev", id));
    const old = await say("dev", "kitchen");
    await harness.state.database.query(
      sql`update messages set sent_at = now() - interval '1 hour' where id = ${old}`,
    );
    // Unlike editing, deleting has no grace period.
    const late = await say("dev", "kitchen");
    const age = (id: number, seconds: number) =>
      harness.state.database.query(
        sql`update messages set sent_at = now() - make_interval(secs => ${seconds}) where id = ${id}`,
      );
    await age(late, 605);
    expect((await remove("dev", late)).body.msg).toBe("The time limit for deleting this message has passed");
    await age(late, 590);
    await expectSuccess(remove("dev", late));
    const { status, body } = await remove("dev", old);
    expect([status, body.msg]).toEqual([400, "The time limit for deleting this message has passed"]);
    await allow({ message_content_delete_limit_seconds: "unlimited" });
    await expectSuccess(remove("dev", old));
  });

  test("a message of another person or their bot requires permission to delete any message", async () => {
    const id = await say("elin", "kitchen");
    expect((await remove("dev", id)).body.msg).toBe("You don't have permission to delete this message");
    const ofBot = await say("echo", "kitchen");
    expect((await remove("dev", ofBot)).status).toBe(400);
    await expectSuccess(remove("ben", ofBot));
    await expectSuccess(remove("ben", id));
  });

  test("is allowed to people whom the channel names, even if the organization names others", async () => {
    await allow({ can_delete_own_message_group: { new: await idOf("role:moderators") } });
    const { id: study } = await harness.channel("study", ["ada", "dev", "elin"]);
    const [own, other] = [await say("dev", study), await say("elin", study)];
    const group = { direct_members: [harness.user("dev").id], direct_subgroups: [] };
    const rule = (name: string) =>
      expectSuccess(harness.as("ada").patch(`/streams/${study}`, { [name]: { new: group } }));
    expect((await remove("dev", own)).status).toBe(400);
    await rule("can_delete_own_message_group");
    expect((await remove("dev", other)).status).toBe(400);
    expect((await remove("elin", other)).status).toBe(400);
    await expectSuccess(remove("dev", own));
    await rule("can_delete_any_message_group");
    await expectSuccess(remove("dev", other));
    const elsewhere = await say("elin", "kitchen");
    expect((await remove("dev", elsewhere)).status).toBe(400);
    await allow({ can_delete_own_message_group: { new: await idOf("role:members") } });
  });

  test("an unreadable message fails like deleting one that does not exist", async () => {
    const id = await say("ada", "leads");
    for (const name of ["dev", "gus", "zed"] as const) {
      expect((await remove(name, id)).body, name).toEqual((await remove(name, 99_999_999)).body);
    }
    expect((await harness.as("ben").get(`/messages/${id}`)).status).toBe(200);
  });

  test("the same message twice at once succeeds once", async () => {
    const id = await say("ada", "kitchen");
    const answers = await Promise.all(["ada", "ben", "ada"].map((name) => remove(name as CastName, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });
});

describe("deleting a topic", () => {
  test("deletes all its messages, and older clients get an event for each of them", async () => {
    const { id: channelId } = await harness.channel("cellar", ["ada", "dev"]);
    for (let n = 0; n < 3; n++) await say("ada", "cellar", { topic: "wine" });
    const kept = await say("ada", "cellar", { topic: "beer" });
    const plain = await startAll(harness, ["dev"], { forms: [forms.plain] });
    const heard = await followAll(harness, ["dev"], async () => {
      const { status, body } = await harness
        .as("ada")
        .post(`/streams/${channelId}/delete_topic`, { topic_name: "Wine" });
      expect([status, body.complete]).toEqual([200, true]);
    });
    const deletions = heard.dev?.filter(({ type }) => type === "delete_message");
    expect(deletions).toHaveLength(1);
    for (const follower of plain) {
      await follower.catchUp();
      await follower.compare();
      expect(follower.events.filter(({ type }) => type === "delete_message")).toHaveLength(3);
    }
    const { body } = await harness.as("dev").get(`/users/me/${channelId}/topics`);
    expect(body.topics).toEqual([{ name: "beer", max_id: kept }]);
  });

  test("is complete when every readable message is gone, however many unreadable ones remain", async () => {
    const secret = { isPrivate: true, isHistoryShared: false };
    const channel = await harness.channel("vault", ["ben", "ada"], secret);
    const topic = "codes";
    const read = await say("ben", "vault", { topic });
    await expectSuccess(harness.as("ada").delete("/users/me/subscriptions", { subscriptions: ["vault"] }));
    const viewer = harness.user("ben").viewer;
    const to = { kind: "channel" as const, channel, topic };
    const unread = await Promise.all(
      Array.from({ length: MAX_DELETED + 1 }, (_, n) =>
        sendMessage(viewer, { to, content: `${n}`, localEcho: null, readBySender: null }),
      ),
    );
    const again = { subscriptions: [{ name: "vault" }], principals: [harness.user("ada").id] };
    await expectSuccess(harness.as("ben").post("/users/me/subscriptions", again));
    const late = await say("ben", "vault", { topic });
    const { complete } = await expectSuccess(
      harness.as("ada").post(`/streams/${channel.id}/delete_topic`, { topic_name: topic }),
    );
    expect(complete).toBe(true);
    for (const id of [read, late]) {
      expect((await harness.as("ben").get(`/messages/${id}`)).body.msg).toBe("Invalid message(s)");
    }
    expect(Math.max(...unread)).toBeLessThan(late);
    for (const id of unread.slice(0, 3)) await expectSuccess(harness.as("ben").get(`/messages/${id}`));
  });

  test("takes few messages at once if many people have reacted to them", async () => {
    const channel = await harness.channel("fame", ["ada", "dev"]);
    const ids: number[] = [];
    for (let n = 0; n < 4; n++) ids.push(await say("ada", "fame", { topic: "old" }));
    const { organizationId, database } = harness.state;
    // As many rows as one transaction deletes, on the newest two messages.
    await database.query(sql`
      insert into reactions (organization_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
      select ${organizationId}, id, 1000000 + n, 'unicode_emoji', '1f419', 'octopus'
      from unnest(${ids.slice(-2)}::bigint[]) as id, generate_series(1, 5000) as n`);
    await expectSuccess(harness.as("dev").post(`/messages/${ids[1]}/reactions`, { emoji_name: "octopus" }));
    const erase = () =>
      expectSuccess(harness.as("ada").post(`/streams/${channel.id}/delete_topic`, { topic_name: "old" }));
    expect((await erase()).complete).toBe(false);
    const { body } = await harness.as("dev").get(`/users/me/${channel.id}/topics`);
    expect(body.topics).toEqual([{ name: "old", max_id: ids[1] }]);
    expect((await erase()).complete).toBe(true);
    const left = await database.query(sql`
      select from reactions where organization_id = ${organizationId} and message_id = any(${ids}::bigint[])`);
    expect(left).toEqual([]);
  });

  test("is not complete while messages are left, and continues with the next request", async () => {
    const channel = await harness.channel("archive", ["ada", "dev"]);
    const to = { kind: "channel" as const, channel, topic: "old" };
    const send = (n: number) =>
      sendMessage(harness.user("ada").viewer, { to, content: `${n}`, localEcho: null, readBySender: null });
    // The first message makes its sender follow the topic, in a transaction of its own.
    const ids = [await send(0)];
    ids.push(...(await Promise.all(Array.from({ length: MAX_DELETED }, (_, n) => send(n + 1)))));
    const erase = () =>
      expectSuccess(harness.as("ada").post(`/streams/${channel.id}/delete_topic`, { topic_name: " OLD " }));
    expect((await erase()).complete).toBe(false);
    const oldest = Math.min(...ids);
    const { body } = await harness.as("dev").get(`/users/me/${channel.id}/topics`);
    expect(body.topics).toEqual([{ name: "old", max_id: oldest }]);
    expect((await erase()).complete).toBe(true);
    expect((await harness.as("dev").get(`/messages/${oldest}`)).status).toBe(400);
  });

  test("is refused without permission to delete any message, and in an unreadable channel", async () => {
    const { id: channelId } = await harness.channel("safe", ["ada"], { isPrivate: true });
    await say("ada", "safe");
    const erase = (name: CastName, id: number, topic_name = "lunch") =>
      harness.as(name).post(`/streams/${id}/delete_topic`, { topic_name });
    expect((await erase("dev", channelId)).body.msg).toBe("Invalid channel ID");
    const { id: open } = await harness.channel("yard", ["dev"]);
    expect((await erase("dev", open)).body.msg).toBe("You don't have permission to delete this message");
    expect((await erase("ada", open, "no such topic")).body.complete).toBe(true);
  });
});
