import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../server/platform/db/sql.ts";
import { editIn, expectSuccess, refusal, sayIn, showIn } from "../harness/answers.ts";
import { followAll, startAll, throughout } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
let kitchen: number;
let pantry: number;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = (await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"])).id;
  pantry = (await harness.channel("pantry", ["ada", "dev", "elin"])).id;
  await harness.channel("leads", ["ada", "ben"], { isPrivate: true });
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const edit = editIn(() => harness);
const show = showIn(() => harness);
const allow = (settings: Record<string, unknown>) =>
  expectSuccess(harness.as("ada").patch("/realm", settings));
const age = (id: number, interval: string) =>
  harness.state.database.query(
    sql`update messages set sent_at = now() - ${interval}::interval where id = ${id}`,
  );

describe("editing a text", () => {
  test("changes it for everyone who has it, with its mentions", async () => {
    const [id] = await throughout(
      harness,
      async () => [await say("dev", "kitchen", { content: "@**Ben Ito** soup" })],
      ([id]) => expectSuccess(edit("dev", id as number, { content: "/me asks @**Gus Pike** and @**all**" })),
    );
    const shown = await show("gus", id as number);
    expect(shown).toMatchObject({ is_me_message: true, last_edit_timestamp: expect.any(Number) });
    expect(shown.flags).toEqual(expect.arrayContaining(["mentioned", "stream_wildcard_mentioned"]));
    expect((await show("ben", id as number)).flags).not.toContain("mentioned");
    expect(shown).not.toHaveProperty("last_moved_timestamp");
  });

  test("changes which participants of its topic it mentions", async () => {
    const topic = "stove";
    const mentions = async (id: number) => {
      const names = ["ada", "ben", "dev", "gus"] as const;
      const flags = await Promise.all(names.map(async (name) => (await show(name, id)).flags));
      return names.filter((_, index) => flags[index].includes("topic_wildcard_mentioned"));
    };
    const [id] = await throughout(
      harness,
      async () => {
        await say("ben", "kitchen", { topic });
        return [await say("dev", "kitchen", { topic })];
      },
      ([id]) => expectSuccess(edit("dev", id as number, { content: "@**topic** stew" })),
    );
    // Writing in a topic is taking part in it.
    expect(await mentions(id as number)).toEqual(["ben", "dev"]);
    const [other] = await throughout(
      harness,
      async () => [await say("gus", "kitchen", { topic, content: "@**topic** soup" })],
      ([id]) => expectSuccess(edit("gus", id as number, { content: "Soup" })),
    );
    expect(await mentions(other as number)).toEqual([]);
  });

  test("mentions nobody who does not receive it, and no group that its writer may not mention", async () => {
    const id = await say("dev", "kitchen");
    await followAll(harness, ["elin", "gus"], () =>
      expectSuccess(edit("dev", id, { content: "@**Elin Berg** and @**Gus Pike**" })),
    );
    expect((await show("elin", id)).flags).toEqual(["read", "historical"]);
    expect((await show("gus", id)).flags).toEqual(["mentioned"]);
    const direct = await say("dev", [harness.user("gus").id], { type: "direct", topic: undefined });
    await expectSuccess(edit("dev", direct, { content: "@**Elin Berg**" }));
    const left = await harness.state.database.query(
      sql`select from message_flags where user_id = ${harness.user("elin").id} and message_id = any(${[id, direct]}::bigint[])`,
    );
    expect(left).toEqual([]);
    const can_mention_group = { direct_members: [harness.user("ada").id], direct_subgroups: [] };
    const cooks = { name: "cooks", description: "", members: [harness.user("ben").id], can_mention_group };
    await expectSuccess(harness.as("ada").post("/user_groups/create", cooks));
    expect(await refusal(edit("dev", id, { content: "@*cooks*" }))).toBe(
      "You are not allowed to mention user group 'cooks'.",
    );
    await expectSuccess(edit("dev", id, { content: "@_*cooks*" }));
  });

  describe("mentions people who received the message", () => {
    const text = "@**Ben Ito**, @**Elin Berg** and @**Gus Pike**: leek";
    const members = (method: "post" | "delete", name: CastName, channel: string) =>
      expectSuccess(
        harness.as("ada")[method]("/users/me/subscriptions", {
          subscriptions: method === "post" ? [{ name: channel }] : [channel],
          principals: [harness.user(name).id],
        }),
      );
    const alerted = ["mentioned", "has_alert_word"];
    beforeAll(async () => {
      for (const name of ["ben", "elin"] as const)
        await expectSuccess(harness.as(name).post("/users/me/alert_words", { alert_words: ["leek"] }));
    });
    afterAll(async () => {
      for (const name of ["ben", "elin"] as const)
        await expectSuccess(harness.as(name).delete("/users/me/alert_words", { alert_words: ["leek"] }));
    });

    test("even if they left since then, and nobody who joined later", async () => {
      await harness.channel("attic", ["dev", "ben", "gus"]);
      const id = await say("dev", "attic");
      for (const name of ["ben", "gus"] as const) await members("delete", name, "attic");
      await members("post", "elin", "attic");
      const heard = await followAll(harness, ["ben", "elin", "gus"], () =>
        expectSuccess(edit("dev", id, { content: text })),
      );
      expect(heard.ben?.[0]?.flags).toEqual(["read", ...alerted]);
      expect((await show("ben", id)).flags).toEqual(expect.arrayContaining(alerted));
      expect(heard.elin?.[0]?.flags).toEqual(["read", "historical"]);
      expect((await show("elin", id)).flags).toEqual(["read", "historical"]);
      // A guest who left can't read it.
      expect(heard.gus).toEqual([]);
      const taken = await followAll(harness, ["ben", "dev"], () =>
        expectSuccess(edit("dev", id, { content: "Stew" })),
      );
      expect(taken.ben).toMatchObject([{ type: "update_message", flags: ["read"] }]);
      const marks = sql`select user_id from message_flags where message_id = ${id}`;
      expect(await harness.state.database.query(marks)).toEqual([]);
    });

    test("in its former channel, if they can read it in the new one", async () => {
      await harness.channel("loft", ["dev", "ben", "elin"]);
      const closed = await harness.channel("safe", ["ada", "dev"], { isPrivate: true });
      const ids = [await say("dev", "loft"), await say("dev", "loft")];
      const open = await harness.channel("cellar", ["ada", "dev"]);
      await members("post", "ben", "safe");
      for (const [index, { id: stream_id }] of [open, closed].entries()) {
        await expectSuccess(edit("ada", ids[index] as number, { stream_id }));
        await expectSuccess(edit("dev", ids[index] as number, { content: text }));
      }
      expect((await show("ben", ids[0] as number)).flags).toEqual(expect.arrayContaining(alerted));
      expect((await show("elin", ids[0] as number)).flags).toEqual(expect.arrayContaining(alerted));
      const marks = sql`select user_id from message_flags where message_id = ${ids[1]}`;
      expect(await harness.state.database.query(marks)).toEqual([]);
    });
  });

  test("leaves the message read for a sender whose program displays it", async () => {
    const id = await say("dev", "kitchen", { read_by_sender: true });
    await followAll(harness, ["dev"], () => expectSuccess(edit("dev", id, { content: "Stew" })));
    expect((await show("dev", id)).flags).toEqual(["read"]);
  });

  test("of a direct message reaches its people, whether they have read it or not", async () => {
    await throughout(
      harness,
      async () => {
        const id = await say("dev", [harness.user("gus").id], { type: "direct", topic: undefined });
        await expectSuccess(
          harness.as("gus").post("/messages/flags", { messages: [id], op: "add", flag: "read" }),
        );
        return [id];
      },
      ([id]) => expectSuccess(edit("dev", id as number, { content: "Better soup" })),
    );
  });

  test("keeps the flags `starred` and `read`", async () => {
    const id = await say("dev", "kitchen");
    for (const flag of ["read", "starred"]) {
      await expectSuccess(harness.as("ben").post("/messages/flags", { messages: [id], op: "add", flag }));
    }
    const heard = await followAll(harness, ["ben"], () =>
      expectSuccess(edit("dev", id, { content: "Stew" })),
    );
    expect(heard.ben).toMatchObject([{ type: "update_message", flags: ["read", "starred"] }]);
    expect((await show("ben", id)).flags).toEqual(["read", "starred"]);
  });

  test("sends the old and the new text, as Markdown and as HTML", async () => {
    const id = await say("dev", "kitchen", { content: "*old*" });
    const heard = await followAll(harness, ["ben"], () =>
      expectSuccess(edit("dev", id, { content: "/me is *new*" })),
    );
    expect(heard.ben).toMatchObject([
      {
        orig_content: "*old*",
        orig_rendered_content: "<p><em>old</em></p>",
        content: "/me is *new*",
        rendered_content: "<p>/me is <em>new</em></p>",
        is_me_message: true,
      },
    ]);
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

  test("is refused after the time limit, and if editing is turned off", async () => {
    const id = await say("dev", "kitchen");
    await age(id, "615 seconds");
    await expectSuccess(edit("dev", id, { content: "within the grace" }));
    await age(id, "625 seconds");
    expect(await refusal(edit("dev", id, { content: "x" }))).toBe(
      "The time limit for editing this message has passed",
    );
    await allow({ message_content_edit_limit_seconds: "unlimited" });
    await expectSuccess(edit("dev", id, { content: "y" }));
    await allow({ message_content_edit_limit_seconds: 600 });
    expect(await refusal(edit("dev", id, { content: "z" }))).toContain("The time limit");
    const other = await say("dev", "kitchen");
    await allow({ allow_message_editing: false });
    expect(await refusal(edit("dev", other, { content: "x" }))).toBe(
      "Your organization has turned off message editing",
    );
    await allow({ allow_message_editing: true });
  });

  test("to an empty text shows (deleted), and a text that is too long is cut", async () => {
    const id = await say("dev", "kitchen");
    await expectSuccess(edit("dev", id, { content: "  \n" }));
    expect((await show("ben", id)).content).toBe("<p>(deleted)</p>");
    await expectSuccess(edit("dev", id, { content: "x".repeat(10_001) }));
    expect((await show("ben", id)).content).toContain("[message truncated]");
  });

  test("is refused if another edit came first", async () => {
    const id = await say("dev", "kitchen");
    const prev_content_sha256 = createHash("sha256").update("Soup today?").digest("hex");
    await expectSuccess(edit("dev", id, { content: "Stew", prev_content_sha256 }));
    const hash = createHash("sha256").update("Stew").digest("hex").toUpperCase();
    await expectSuccess(edit("dev", id, { content: "Stew", prev_content_sha256: hash }));
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
    expect((await show("dev", id)).content).toBe("<p>Soup today?</p>");
    await expectSuccess(edit("dev", id, { content: "x", stream_id: kitchen }));
  });

  test("of an unreadable message fails like editing one that does not exist", async () => {
    const id = await say("ada", "leads");
    for (const name of ["dev", "gus", "zed"] as const) {
      expect((await edit(name, id, { content: "x" })).body).toEqual(
        (await edit(name, 99_999_999, { content: "x" })).body,
      );
    }
  });
});

test("a message in an archived channel stays read when it is edited", async () => {
  const shed = await harness.channel("shed", ["ada", "dev"]);
  const [id] = await throughout(
    harness,
    async () => {
      const said = await say("ada", "shed");
      await expectSuccess(harness.as("ada").delete(`/streams/${shed.id}`));
      return [said];
    },
    ([said]) => expectSuccess(edit("ada", said as number, { content: "Rakes?" })),
  );
  expect((await show("dev", id as number)).flags).toContain("read");
});

describe("the edit history", () => {
  test("has each version of a message, oldest first, with the changes marked", async () => {
    const id = await say("dev", "kitchen", { topic: "history", content: "One *two* three" });
    await expectSuccess(edit("dev", id, { content: "One four three" }));
    await expectSuccess(edit("ada", id, { topic: "later" }));
    const { body } = await harness.as("ben").get(`/messages/${id}/history`);
    const [dev, ada] = [harness.user("dev").id, harness.user("ada").id];
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

  test("can be limited to moves, or turned off", async () => {
    const id = await say("dev", "kitchen", { topic: "kept", content: "before" });
    await expectSuccess(edit("dev", id, { content: "after" }));
    await expectSuccess(edit("ada", id, { topic: "moved" }));
    await allow({ message_edit_history_visibility_policy: "moves" });
    const { body } = await harness.as("ben").get(`/messages/${id}/history`);
    expect(JSON.stringify(body)).not.toContain("before");
    expect(body.message_history).toHaveLength(2);
    expect((await show("ben", id)).edit_history).toHaveLength(1);
    await allow({ message_edit_history_visibility_policy: "none" });
    expect(await refusal(harness.as("ben").get(`/messages/${id}/history`))).toBe(
      "Message edit history is disabled in this organization",
    );
    expect(await show("ben", id)).not.toHaveProperty("edit_history");
    await allow({ message_edit_history_visibility_policy: "all" });
  });

  test("of an unreadable message is refused", async () => {
    const id = await say("ada", "leads");
    for (const name of ["dev", "gus", "zed"] as const) {
      expect((await harness.as(name).get(`/messages/${id}/history`)).body.msg, name).toBe(
        "Invalid message(s)",
      );
    }
  });

  test("gives the empty topic its display name, unless the client accepts an empty one", async () => {
    const id = await say("dev", "kitchen", { topic: "" });
    await expectSuccess(edit("ada", id, { topic: "named" }));
    const shown = async (params: Record<string, unknown>) => {
      const { body } = await harness.as("ben").get(`/messages/${id}/history`, params);
      return body.message_history.map(({ topic }: { topic: string }) => topic);
    };
    const { body } = await harness.as("ben").get(`/messages/${id}/history`);
    expect(body.message_history[1].prev_topic).toBe("general chat");
    expect(await shown({})).toEqual(["general chat", "named"]);
    expect(await shown({ allow_empty_topic_name: true })).toEqual(["", "named"]);
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
  const { body } = await harness.as("ada").get(`/messages/${id}/history`);
  expect(body.message_history).toHaveLength(5);
  const people = await startAll(harness, ["ada", "dev"]);
  const answers = await Promise.all([
    harness.as("ada").delete(`/messages/${id}`),
    edit("dev", id, { content: "third" }),
  ]);
  expect(answers[0].status).toBe(200);
  expect([200, 400]).toContain(answers[1].status);
  for (const follower of people) {
    await follower.catchUp();
    await follower.compare();
  }
});
