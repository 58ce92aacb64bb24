import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../server/db/sql.ts";
import { everybody, expectSilence, followAll, names, startAll } from "../follow.ts";
import { type CastName, createWorld, type World } from "../world.ts";

let w: World;
let kitchen: number;
let pantry: number;
let leads: number;
beforeAll(async () => {
  w = await createWorld();
  kitchen = (await w.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"])).id;
  pantry = (await w.channel("pantry", ["ada", "dev", "elin"])).id;
  leads = (await w.channel("leads", ["ada", "ben"], { isPrivate: true })).id;
});
afterAll(() => w.close());

async function say(name: CastName, to: unknown, more: Record<string, unknown> = {}): Promise<number> {
  const message = { type: "channel", to, topic: "lunch", content: "Soup today?", ...more };
  const { status, body } = await w.as(name).post("/messages", message);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

const edit = (name: CastName, id: number, params: Record<string, unknown>) =>
  w.as(name).patch(`/messages/${id}`, params);

async function done(answer: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(200);
}

const refusal = async (answer: Promise<{ status: number; body: { msg: string } }>) => {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(400);
  return body.msg;
};

const show = async (name: CastName, id: number) => (await w.as(name).get(`/messages/${id}`)).body.message;
const allow = (settings: Record<string, unknown>) => done(w.as("ada").patch("/realm", settings));
const idOf = async (group: string) => {
  const { body } = await w.as("ada").get("/user_groups");
  return body.user_groups.find(({ name }: { name: string }) => name === group).id;
};
const age = (id: number, interval: string) =>
  w.live.database.query(sql`update messages set sent_at = now() - ${interval}::interval where id = ${id}`);

/** Everybody's model follows the sending and the change, and then equals a fresh one. */
async function throughout(prepare: () => Promise<number[]>, change: (ids: number[]) => Promise<void>) {
  const people = await startAll(w, everybody);
  const ids = await prepare();
  for (const follower of people) await follower.catchUp();
  await change(ids);
  for (const follower of people) {
    await follower.catchUp();
    await follower.compare();
  }
  return ids;
}

describe("editing a text", () => {
  test("changes it for everyone who has it, with its mentions", async () => {
    const [id] = await throughout(
      async () => [await say("dev", "kitchen", { content: "@**Ben Ito** soup" })],
      ([id]) => done(edit("dev", id as number, { content: "/me asks @**Gus Pike** and @**all**" })),
    );
    const shown = await show("gus", id as number);
    expect(shown).toMatchObject({ is_me_message: true, last_edit_timestamp: expect.any(Number) });
    expect(shown.flags).toEqual(expect.arrayContaining(["mentioned", "stream_wildcard_mentioned"]));
    expect((await show("ben", id as number)).flags).not.toContain("mentioned");
    expect(shown).not.toHaveProperty("last_moved_timestamp");
  });

  test("of a direct message is told to its people, read or not", async () => {
    await throughout(
      async () => {
        const id = await say("dev", [w.user("gus").id], { type: "direct", topic: undefined });
        await done(w.as("gus").post("/messages/flags", { messages: [id], op: "add", flag: "read" }));
        return [id];
      },
      ([id]) => done(edit("dev", id as number, { content: "Better soup" })),
    );
  });

  test("keeps a star, and what was read read", async () => {
    const id = await say("dev", "kitchen");
    for (const flag of ["read", "starred"]) {
      await done(w.as("ben").post("/messages/flags", { messages: [id], op: "add", flag }));
    }
    const heard = await followAll(w, ["ben"], () => done(edit("dev", id, { content: "Stew" })));
    expect(heard.ben).toMatchObject([{ type: "update_message", flags: ["read", "starred"] }]);
    expect((await show("ben", id)).flags).toEqual(["read", "starred"]);
  });

  test("is refused to everyone but the sender, whatever their role", async () => {
    const id = await say("dev", "kitchen");
    for (const name of ["ada", "ben", "gus"] as const) {
      expect(await refusal(edit(name, id, { content: "x" }))).toBe(
        "You don't have permission to edit this message",
      );
    }
    expect((await show("dev", id)).content).toBe("<p>Soup today?</p>");
  });

  test("is refused after the time limit, and where editing is off", async () => {
    const id = await say("dev", "kitchen");
    await age(id, "615 seconds");
    await done(edit("dev", id, { content: "within the grace" }));
    await age(id, "625 seconds");
    expect(await refusal(edit("dev", id, { content: "x" }))).toBe(
      "The time limit for editing this message has passed",
    );
    const other = await say("dev", "kitchen");
    await allow({ allow_message_editing: false });
    expect(await refusal(edit("dev", other, { content: "x" }))).toBe(
      "Your organization has turned off message editing",
    );
    await allow({ allow_message_editing: true });
  });

  test("to nothing leaves a word that says so; an over-long text is cut", async () => {
    const id = await say("dev", "kitchen");
    await done(edit("dev", id, { content: "  \n" }));
    expect((await show("ben", id)).content).toBe("<p>(deleted)</p>");
    await done(edit("dev", id, { content: "x".repeat(10_001) }));
    expect((await show("ben", id)).content).toContain("[message truncated]");
  });

  test("that somebody else's edit has overtaken is refused", async () => {
    const id = await say("dev", "kitchen");
    const prev_content_sha256 = createHash("sha256").update("Soup today?").digest("hex");
    await done(edit("dev", id, { content: "Stew", prev_content_sha256 }));
    const late = await edit("dev", id, { content: "Salad", prev_content_sha256 });
    expect(late).toMatchObject({ status: 400, body: { code: "EXPECTATION_MISMATCH" } });
    expect((await show("dev", id)).content).toBe("<p>Stew</p>");
  });

  test("needs something to change", async () => {
    const id = await say("dev", "kitchen");
    expect(await refusal(edit("dev", id, {}))).toBe("Nothing to change");
    expect(await refusal(edit("dev", id, { topic: "lunch" }))).toBe("Nothing to change");
    expect(await refusal(edit("dev", id, { content: "x", propagate_mode: "change_all" }))).toBe(
      "Invalid propagate_mode without topic edit",
    );
    expect(await refusal(edit("dev", id, { content: "x", stream_id: pantry }))).toBe(
      "Cannot change message content while changing channel",
    );
  });

  test("what one can't read looks like editing what is not there", async () => {
    const id = await say("ada", "leads");
    for (const name of ["dev", "gus", "zed"] as const) {
      expect((await edit(name, id, { content: "x" })).body).toEqual(
        (await edit(name, 99_999_999, { content: "x" })).body,
      );
    }
  });
});

test("a message in an archived channel is read, and stays so when it is edited", async () => {
  const shed = await w.channel("shed", ["ada", "dev"]);
  const [id] = await throughout(
    async () => {
      const said = await say("ada", "shed");
      await done(w.as("ada").delete(`/streams/${shed.id}`));
      return [said];
    },
    ([said]) => done(edit("ada", said as number, { content: "Rakes?" })),
  );
  expect((await show("dev", id as number)).flags).toContain("read");
});

describe("moving to another topic", () => {
  test.each([
    ["one message", "change_one"],
    ["a message and those after it", "change_later"],
    ["the whole topic", "change_all"],
  ])("moves %s, with what is unread", async (_, propagate_mode) => {
    const topic = `long ${propagate_mode}`;
    const ids = await throughout(
      async () => {
        const ids: number[] = [];
        for (let n = 0; n < 3; n++) ids.push(await say("dev", "kitchen", { topic }));
        await done(w.as("gus").post("/messages/flags", { messages: [ids[1]], op: "add", flag: "read" }));
        return ids;
      },
      (ids) => done(edit("ada", ids[1] as number, { topic: `short ${propagate_mode}`, propagate_mode })),
    );
    const topics = await Promise.all(ids.map(async (id) => (await show("ben", id)).subject.split(" ")[0]));
    const expected = {
      change_one: ["long", "short", "long"],
      change_later: ["long", "short", "short"],
      change_all: ["short", "short", "short"],
    };
    expect(topics).toEqual(expected[propagate_mode as keyof typeof expected]);
    expect((await show("gus", ids[1] as number)).flags).toEqual(["read"]);
  });

  test("leaves notices where they are wanted", async () => {
    const id = await say("dev", "kitchen", { topic: "here" });
    const heard = await followAll(w, ["ben"], () =>
      done(edit("ada", id, { topic: "there", send_notification_to_old_thread: true })),
    );
    const posted = heard.ben?.filter(({ type }) => type === "message") as unknown as {
      message: { subject: string; content: string };
    }[];
    expect(posted.map(({ message }) => message.subject).sort()).toEqual(["here", "there"]);
    const quiet = { topic: "nowhere", send_notification_to_new_thread: false };
    const silent = await followAll(w, ["ben"], () => done(edit("ada", id, quiet)));
    expect(names(silent.ben)).toEqual(["update_message"]);
  });

  test("by its letter case alone respells the topic", async () => {
    const id = await say("dev", "kitchen", { topic: "soup" });
    await throughout(
      async () => [await say("dev", "kitchen", { topic: "soup" })],
      ([second]) => done(edit("ada", second as number, { topic: "Soup", propagate_mode: "change_all" })),
    );
    expect((await show("ben", id)).subject).toBe("Soup");
    const next = await say("dev", "kitchen", { topic: "SOUP" });
    expect((await show("ben", next)).subject).toBe("Soup");
  });

  test("needs permission; resolving needs its own", async () => {
    const id = await say("ada", "kitchen", { topic: "fridge" });
    await allow({ can_move_messages_between_topics_group: { new: await idOf("role:moderators") } });
    expect(await refusal(edit("dev", id, { topic: "freezer" }))).toBe(
      "You don't have permission to move this message",
    );
    const heard = await followAll(w, everybody, () =>
      done(edit("dev", id, { topic: "✔ fridge", propagate_mode: "change_all" })),
    );
    expect(names(heard.ben)).toContain("message");
    expect(await show("ben", id)).not.toHaveProperty("last_moved_timestamp");
    await allow({ can_resolve_topics_group: { new: await idOf("role:moderators") } });
    expect(await refusal(edit("dev", id, { topic: "fridge", propagate_mode: "change_all" }))).toBe(
      "You don't have permission to resolve topics.",
    );
    for (const name of ["can_resolve_topics_group", "can_move_messages_between_topics_group"]) {
      await allow({ [name]: { new: await idOf("role:everyone") } });
    }
  });

  test("has a time limit, which moderators don't have", async () => {
    const ids: number[] = [];
    for (let n = 0; n < 3; n++) ids.push(await say("dev", "kitchen", { topic: "old and new" }));
    await age(ids[0] as number, "8 days");
    expect(await refusal(edit("dev", ids[0] as number, { topic: "x" }))).toBe(
      "The time limit for moving this message has passed",
    );
    const all = { topic: "x", propagate_mode: "change_all" };
    expect(await edit("dev", ids[2] as number, all)).toMatchObject({
      status: 400,
      body: {
        code: "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
        first_message_id_allowed_to_move: ids[1],
        total_messages_in_topic: 3,
        total_messages_allowed_to_move: 2,
      },
    });
    await done(edit("cleo", ids[2] as number, { ...all, stream_id: kitchen }));
  });

  test("is not for direct messages", async () => {
    const id = await say("dev", [w.user("gus").id], { type: "direct", topic: undefined });
    expect(await refusal(edit("dev", id, { topic: "x" }))).toBe("Direct messages cannot have topics.");
    expect(await refusal(edit("dev", id, { stream_id: kitchen }))).toBe(
      "Direct messages cannot be moved to channels.",
    );
  });
});

describe("moving to another channel", () => {
  test("brings the messages to those who can read the new one, and takes them from the others", async () => {
    const ids = await throughout(
      async () => {
        const ids = [await say("ben", "kitchen", { topic: "stove", content: "@**Dev Rao**" })];
        ids.push(await say("ben", "kitchen", { topic: "stove" }));
        await done(w.as("dev").post("/messages/flags", { messages: [ids[1]], op: "add", flag: "read" }));
        return ids;
      },
      (ids) => done(edit("ada", ids[0] as number, { stream_id: pantry, propagate_mode: "change_all" })),
    );
    for (const id of ids)
      expect(await show("dev", id)).toMatchObject({ stream_id: pantry, subject: "stove" });
    expect((await show("dev", ids[0] as number)).flags).toEqual(["mentioned"]);
    expect((await show("dev", ids[1] as number)).flags).toEqual(["read"]);
    // Elin got it with the channel, and it does not count as news.
    expect((await show("elin", ids[1] as number)).flags).toContain("read");
    expect((await w.as("gus").get(`/messages/${ids[0]}`)).body.msg).toBe("Invalid message(s)");
  });

  test("a guest who loses sight of them hears that they are gone, and nothing of the place", async () => {
    const id = await say("ben", "kitchen", { topic: "knives" });
    const heard = await followAll(w, ["gus"], () => done(edit("ada", id, { stream_id: pantry })));
    expect(names(heard.gus)).toEqual(["delete_message"]);
    expect(heard.gus).toMatchObject([{ stream_id: kitchen, topic: "knives" }]);
  });

  test("into a private channel hides them from those outside, at once and in search", async () => {
    const id = await say("ben", "kitchen", { topic: "salaries", content: "hidden-word" });
    const heard = await followAll(w, ["dev", "ben"], () => done(edit("ada", id, { stream_id: leads })));
    expect(names(heard.dev)).toEqual(["delete_message"]);
    expect(names(heard.ben)).toContain("update_message");
    expect(JSON.stringify(heard.dev)).not.toContain("hidden-word");
    const narrow = [{ operator: "id", operand: id }];
    const { body } = await w.as("dev").get("/messages", { anchor: id, num_before: 0, num_after: 0, narrow });
    expect(body.messages).toEqual([]);
  });

  test("out of a private channel names it nowhere, and shows nothing of its history there", async () => {
    const id = await say("ada", "leads", { topic: "plans", content: "first-secret" });
    await done(edit("ada", id, { content: "second-secret" }));
    await done(edit("ada", id, { content: "public now" }));
    const heard = await followAll(w, ["dev"], () =>
      done(edit("ada", id, { stream_id: kitchen, topic: "news" })),
    );
    expect(JSON.stringify(heard.dev)).not.toMatch(/secret|leads|plans/);
    const shown = await show("dev", id);
    expect(JSON.stringify(shown)).not.toMatch(/secret|plans/);
    const history = await w.as("dev").get(`/messages/${id}/history`);
    expect(JSON.stringify(history.body)).not.toMatch(/secret|plans/);
    expect(history.body.message_history).toHaveLength(1);
    const own = await w.as("ada").get(`/messages/${id}/history`);
    expect(own.body.message_history).toHaveLength(4);
  });

  test("needs permission, the right to post there, and a channel that one can see", async () => {
    const id = await say("dev", "kitchen", { topic: "pots" });
    expect(await refusal(edit("dev", id, { stream_id: leads }))).toBe("Invalid channel ID");
    expect(await refusal(edit("dev", id, { stream_id: 99_999 }))).toBe("Invalid channel ID");
    await allow({ can_move_messages_between_channels_group: { new: await idOf("role:moderators") } });
    expect(await refusal(edit("dev", id, { stream_id: pantry }))).toBe(
      "You don't have permission to move this message",
    );
    const closed = await w.channel("closed", ["ada"], {
      groupSettings: { can_send_message_group: await idOf("role:owners") },
    });
    expect(await refusal(edit("cleo", id, { stream_id: closed.id }))).toBe(
      "You do not have permission to post in this channel.",
    );
    await done(edit("cleo", id, { stream_id: pantry }));
  });
});

describe("the edit history", () => {
  test("tells each state of a message, oldest first, with what changed marked", async () => {
    const id = await say("dev", "kitchen", { topic: "history", content: "One *two* three" });
    await done(edit("dev", id, { content: "One four three" }));
    await done(edit("ada", id, { topic: "later" }));
    const { body } = await w.as("ben").get(`/messages/${id}/history`);
    const [dev, ada] = [w.user("dev").id, w.user("ada").id];
    expect(body.message_history).toMatchObject([
      { topic: "history", content: "One *two* three", user_id: dev },
      { topic: "history", content: "One four three", prev_content: "One *two* three", user_id: dev },
      { topic: "later", prev_topic: "history", content: "One four three", user_id: ada },
    ]);
    expect(body.message_history[1].content_html_diff).toBe(
      '<p>One <span class="highlight_text_deleted">two</span><span class="highlight_text_inserted">four</span> three</p>',
    );
    expect(Object.keys(body.message_history[0]).sort()).toEqual(
      ["content", "rendered_content", "timestamp", "topic", "user_id"].sort(),
    );
    expect((await show("ben", id)).edit_history).toMatchObject([
      { user_id: ada, prev_topic: "history", topic: "later" },
      { user_id: dev, prev_content: "One *two* three" },
    ]);
  });

  test("can be kept to moves, or to nobody", async () => {
    const id = await say("dev", "kitchen", { topic: "kept", content: "before" });
    await done(edit("dev", id, { content: "after" }));
    await done(edit("ada", id, { topic: "moved" }));
    await allow({ message_edit_history_visibility_policy: "moves" });
    const { body } = await w.as("ben").get(`/messages/${id}/history`);
    expect(JSON.stringify(body)).not.toContain("before");
    expect(body.message_history).toHaveLength(2);
    expect((await show("ben", id)).edit_history).toHaveLength(1);
    await allow({ message_edit_history_visibility_policy: "none" });
    expect(await refusal(w.as("ben").get(`/messages/${id}/history`))).toBe(
      "Message edit history is disabled in this organization",
    );
    expect(await show("ben", id)).not.toHaveProperty("edit_history");
    await allow({ message_edit_history_visibility_policy: "all" });
  });

  test("of a message that one can't read looks absent", async () => {
    const id = await say("ada", "leads");
    for (const name of ["dev", "gus", "zed"] as const) {
      expect((await w.as(name).get(`/messages/${id}/history`)).body.msg, name).toBe("Invalid message(s)");
    }
  });

  test("gives the empty topic its display name, unless it is asked for as it is", async () => {
    const id = await say("dev", "kitchen", { topic: "" });
    await done(edit("ada", id, { topic: "named" }));
    const shown = async (params: Record<string, unknown>) => {
      const { body } = await w.as("ben").get(`/messages/${id}/history`, params);
      return body.message_history.map(({ topic }: { topic: string }) => topic);
    };
    expect(await shown({})).toEqual(["general chat", "named"]);
    expect(await shown({ allow_empty_topic_name: true })).toEqual(["", "named"]);
  });
});

describe("where history is not shared", () => {
  let attic: number;
  let before: number;
  beforeEach(async () => {
    attic = (await w.channel(`attic ${Math.random()}`, ["ada", "ben"], { isPrivate: true })).id;
    before = await say("ada", attic, { content: "before-elin" });
    const name = (await w.as("ada").get(`/streams/${attic}`)).body.stream.name;
    await done(
      w
        .as("ada")
        .post("/users/me/subscriptions", { subscriptions: [{ name }], principals: [w.user("elin").id] }),
    );
  });

  test("a later subscriber hears of no change to what came before them", async () => {
    await expectSilence(w, { hears: "ben", silent: ["elin"] }, () =>
      done(edit("ada", before, { content: "still-before" })),
    );
    const after = await say("ada", attic);
    const all = { topic: "elsewhere", propagate_mode: "change_all", send_notification_to_new_thread: false };
    const heard = await followAll(w, ["elin", "ben"], () => done(edit("ada", after, all)));
    expect(heard.elin).toMatchObject([{ message_ids: [after] }]);
    expect(heard.ben).toMatchObject([{ message_ids: [before, after] }]);
  });

  test("and can't have it moved to where they could read it", async () => {
    const after = await say("ada", attic);
    await done(edit("elin", after, { topic: "taken", propagate_mode: "change_all" }));
    expect((await show("ada", before)).subject).toBe("lunch");
  });
});

test("changes of one message at the same time happen one after the other", async () => {
  const id = await say("dev", "kitchen", { topic: "race" });
  const changes = [
    edit("dev", id, { content: "first" }),
    edit("dev", id, { content: "second" }),
    edit("ada", id, { topic: "raced" }),
    edit("ada", id, { stream_id: pantry }),
  ];
  for (const { status } of await Promise.all(changes)) expect(status).toBe(200);
  const { body } = await w.as("ada").get(`/messages/${id}/history`);
  expect(body.message_history).toHaveLength(5);
  const people = await startAll(w, ["ada", "dev"]);
  const answers = await Promise.all([
    w.as("ada").delete(`/messages/${id}`),
    edit("dev", id, { content: "third" }),
  ]);
  expect(answers[0].status).toBe(200);
  expect([200, 400]).toContain(answers[1].status);
  for (const follower of people) {
    await follower.catchUp();
    await follower.compare();
  }
});
