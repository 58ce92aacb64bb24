import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { editIn, expectSuccess, refusal, sayIn, showIn } from "../harness/answers.ts";
import { eventNames, expectSilence, followAll, forms, throughout } from "../harness/follow.ts";
import { createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
let kitchen: number;
let pantry: number;
let leads: number;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = (await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"])).id;
  pantry = (await harness.channel("pantry", ["ada", "dev", "elin"])).id;
  leads = (await harness.channel("leads", ["ada", "ben"], { isPrivate: true })).id;
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const edit = editIn(() => harness);
const show = showIn(() => harness);

describe("moving to another topic", () => {
  test.each([
    ["one message", "change_one"],
    ["a message and those after it", "change_later"],
    ["the whole topic", "change_all"],
  ])("moves %s, and keeps what is unread", async (_, propagate_mode) => {
    const topic = `long ${propagate_mode}`;
    const ids = await throughout(
      harness,
      async () => {
        const ids: number[] = [];
        for (let n = 0; n < 3; n++) ids.push(await say("dev", "kitchen", { topic }));
        await expectSuccess(
          harness.as("gus").post("/messages/flags", { messages: [ids[1]], op: "add", flag: "read" }),
        );
        return ids;
      },
      (ids) =>
        expectSuccess(edit("ada", ids[1] as number, { topic: `short ${propagate_mode}`, propagate_mode })),
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

  test("posts notices in the topics that the request asks for", async () => {
    const id = await say("dev", "kitchen", { topic: "here" });
    const heard = await followAll(harness, ["ben"], () =>
      expectSuccess(edit("ada", id, { topic: "there", send_notification_to_old_thread: true })),
    );
    const posted = heard.ben?.filter(({ type }) => type === "message") as unknown as {
      message: { subject: string; content: string };
    }[];
    expect(posted.map(({ message }) => message.subject).sort()).toEqual(["here", "there"]);
    const quiet = { topic: "nowhere", send_notification_to_new_thread: false };
    const silent = await followAll(harness, ["ben"], () => expectSuccess(edit("ada", id, quiet)));
    expect(eventNames(silent.ben)).toEqual(["update_message"]);
  });

  test("whose name differs only in case respells the topic", async () => {
    const id = await say("dev", "kitchen", { topic: "soup" });
    await throughout(
      harness,
      async () => [await say("dev", "kitchen", { topic: "soup" })],
      ([second]) =>
        expectSuccess(edit("ada", second as number, { topic: "Soup", propagate_mode: "change_all" })),
    );
    expect((await show("ben", id)).subject).toBe("Soup");
    const next = await say("dev", "kitchen", { topic: "SOUP" });
    expect((await show("ben", next)).subject).toBe("Soup");
  });

  test.each(["change_one", "change_later"])(
    "by %s respells nothing while the topic has other messages, since a topic has one spelling",
    async (propagate_mode) => {
      const topic = `stew ${propagate_mode}`;
      const ids = [];
      for (let n = 0; n < 3; n++) ids.push(await say("dev", "kitchen", { topic }));
      const id = ids[1] as number;
      const other = { topic: topic.toUpperCase(), propagate_mode };
      expect(await refusal(edit("ada", id, other))).toBe("Nothing to change");
      const both = { ...other, propagate_mode: "change_one", content: "Stew." };
      const heard = await followAll(harness, ["ben"], () => expectSuccess(edit("dev", id, both)));
      expect(eventNames(heard.ben)).toEqual(["update_message"]);
      expect(heard.ben?.[0]).not.toHaveProperty("subject");
      for (const each of ids) expect((await show("ben", each)).subject).toBe(topic);
    },
  );

  test("respells a topic whose only message is moved", async () => {
    const id = await say("dev", "kitchen", { topic: "bread" });
    await throughout(
      harness,
      async () => [id],
      () => expectSuccess(edit("ada", id, { topic: "Bread" })),
    );
    expect((await show("ben", id)).subject).toBe("Bread");
  });

  test.each([
    ["ΣΑΣ", "σας"],
    ["i̇z", "İz"],
  ])("from %s to %s respells the topic, since both are one name", async (topic, other) => {
    const id = await say("dev", "kitchen", { topic });
    const there = await say("dev", "kitchen", { topic: other });
    expect((await show("ben", there)).subject).toBe(topic.normalize("NFC"));
    await throughout(
      harness,
      async () => [id],
      () => expectSuccess(edit("ada", id, { topic: other, propagate_mode: "change_all" })),
    );
    for (const each of [id, there]) expect((await show("ben", each)).subject).toBe(other);
  });

  test("from the empty topic sends its display name to clients that need one, as deleting does", async () => {
    const id = await say("ada", "kitchen", { topic: "" });
    const quiet = { send_notification_to_new_thread: false };
    const plain = { forms: [forms.plain] };
    const out = await followAll(
      harness,
      ["ben"],
      () => expectSuccess(edit("ada", id, { topic: "named", ...quiet })),
      plain,
    );
    expect(out.ben).toMatchObject([{ orig_subject: "general chat", subject: "named" }]);
    const back = await followAll(
      harness,
      ["ben"],
      () => expectSuccess(edit("ada", id, { topic: "", ...quiet })),
      plain,
    );
    expect(back.ben).toMatchObject([{ orig_subject: "named", subject: "general chat" }]);
    const gone = await followAll(
      harness,
      ["ben"],
      () => expectSuccess(harness.as("ada").delete(`/messages/${id}`)),
      plain,
    );
    expect(gone.ben).toMatchObject([{ type: "delete_message", topic: "general chat" }]);
  });

  test("is refused to everyone in an archived channel", async () => {
    const { id: barn } = await harness.channel("barn", ["ada"]);
    const id = await say("ada", barn, { topic: "hay" });
    await expectSuccess(harness.as("ada").delete(`/streams/${barn}`));
    for (const place of [{ topic: "straw" }, { stream_id: pantry }]) {
      expect(await refusal(edit("ada", id, place))).toBe("Not authorized to send to channel 'barn'");
    }
    expect(await show("ada", id)).toMatchObject({ stream_id: barn, subject: "hay" });
  });

  test("is refused for direct messages", async () => {
    const id = await say("dev", [harness.user("gus").id], { type: "direct", topic: undefined });
    expect(await refusal(edit("dev", id, { topic: "x" }))).toBe("Direct messages cannot have topics.");
    expect(await refusal(edit("dev", id, { stream_id: kitchen }))).toBe(
      "Direct messages cannot be moved to channels.",
    );
  });
});

describe("moving to another channel", () => {
  test("shows the messages to people who can read the new channel, and removes them for others", async () => {
    const ids = await throughout(
      harness,
      async () => {
        const ids = [await say("ben", "kitchen", { topic: "stove", content: "@**Dev Rao**" })];
        ids.push(await say("ben", "kitchen", { topic: "stove" }));
        await expectSuccess(
          harness.as("dev").post("/messages/flags", { messages: [ids[1]], op: "add", flag: "read" }),
        );
        return ids;
      },
      (ids) =>
        expectSuccess(edit("ada", ids[0] as number, { stream_id: pantry, propagate_mode: "change_all" })),
    );
    for (const id of ids)
      expect(await show("dev", id)).toMatchObject({ stream_id: pantry, subject: "stove" });
    expect((await show("dev", ids[0] as number)).flags).toEqual(["mentioned"]);
    expect((await show("dev", ids[1] as number)).flags).toEqual(["read"]);
    // Elin received it only by the move, so it is not unread for them.
    expect((await show("elin", ids[1] as number)).flags).toContain("read");
    expect((await harness.as("gus").get(`/messages/${ids[0]}`)).body.msg).toBe("Invalid message(s)");
  });

  test("updates the first message of both channels", async () => {
    const [from, to] = [
      await harness.channel("first", ["ada", "ben"]),
      await harness.channel("second", ["ada", "ben"]),
    ];
    const [older, left] = [
      await say("ada", from.id, { topic: "a" }),
      await say("ada", from.id, { topic: "b" }),
    ];
    await say("ada", to.id);
    const heard = await followAll(harness, ["ada", "ben"], () =>
      expectSuccess(edit("ada", older, { stream_id: to.id })),
    );
    const firsts = heard.ben?.filter(({ property }) => property === "first_message_id");
    expect(firsts?.map(({ stream_id, value }) => [stream_id, value])).toEqual([
      [from.id, left],
      [to.id, older],
    ]);
  });

  test("sends each reader the flags that the messages have for them now", async () => {
    const id = await say("ada", "kitchen", { topic: "ladles" });
    const quiet = { stream_id: pantry, send_notification_to_new_thread: false };
    const heard = await followAll(harness, ["ben", "dev"], () => expectSuccess(edit("ada", id, quiet)));
    const flags = (name: "ben" | "dev") => heard[name]?.find(({ type }) => type === "update_message")?.flags;
    // Ben is not subscribed there.
    expect([flags("ben"), flags("dev")]).toEqual([["read", "historical"], []]);
  });

  test("tells people for whom that changes which of the other messages mention them", async () => {
    const cellar = (await harness.channel("cellar", ["ada", "dev", "ben"])).id;
    const say2 = async (topic: string, content: string) => {
      const first = await say("dev", "pantry", { topic, content });
      return { first, named: await say("dev", "pantry", { topic }) };
    };
    const topics = [await say2("everyone", "@**all** soup"), await say2("plain", "Soup")];
    const join = (name: "elin" | "ben", channel: string) =>
      expectSuccess(harness.as(name).post("/users/me/subscriptions", { subscriptions: [{ name: channel }] }));
    // ada received the messages in both channels, elin in the old one alone, and ben only in the new one.
    await join("elin", "cellar");
    await join("ben", "pantry");
    const heard = await followAll(harness, ["ada", "elin", "ben"], async () => {
      for (const { named } of topics)
        await expectSuccess(edit("ada", named, { stream_id: cellar, propagate_mode: "change_all" }));
    });
    const flagsFor = (name: "ada" | "elin" | "ben") =>
      (heard[name] ?? []).flatMap(({ type, rendering_only, message_id, flags }) =>
        type === "update_message" && rendering_only ? [[message_id, flags]] : [],
      );
    const first = topics[0]?.first;
    expect(flagsFor("ada")).toEqual([]);
    expect(flagsFor("elin")).toEqual([[first, ["historical"]]]);
    expect(flagsFor("ben")).toEqual([[first, ["read", "stream_wildcard_mentioned", "wildcard_mentioned"]]]);
  });

  test("sends a deletion without the new place to a guest who can't read it there", async () => {
    const id = await say("ben", "kitchen", { topic: "knives" });
    const heard = await followAll(harness, ["gus"], () =>
      expectSuccess(edit("ada", id, { stream_id: pantry })),
    );
    expect(eventNames(heard.gus)).toEqual(["delete_message"]);
    expect(heard.gus).toMatchObject([{ stream_id: kitchen, topic: "knives" }]);
  });

  test("to a private channel hides the messages from people outside it, in listings too", async () => {
    const id = await say("ben", "kitchen", { topic: "salaries", content: "hidden-word" });
    const heard = await followAll(harness, ["dev", "ben"], () =>
      expectSuccess(edit("ada", id, { stream_id: leads })),
    );
    expect(eventNames(heard.dev)).toEqual(["delete_message"]);
    expect(eventNames(heard.ben)).toContain("update_message");
    expect(JSON.stringify(heard.dev)).not.toContain("hidden-word");
    const narrow = [{ operator: "id", operand: id }];
    const { body } = await harness
      .as("dev")
      .get("/messages", { anchor: id, num_before: 0, num_after: 0, narrow });
    expect(body.messages).toEqual([]);
  });

  test("out of a private channel reveals neither its name nor the messages' earlier history", async () => {
    const id = await say("ada", "leads", { topic: "plans", content: "first-secret" });
    await expectSuccess(edit("ada", id, { content: "second-secret" }));
    await expectSuccess(edit("ada", id, { content: "public now" }));
    const heard = await followAll(harness, ["dev"], () =>
      expectSuccess(edit("ada", id, { stream_id: kitchen, topic: "news" })),
    );
    expect(JSON.stringify(heard.dev)).not.toMatch(/secret|leads|plans/);
    const shown = await show("dev", id);
    expect(JSON.stringify(shown)).not.toMatch(/secret|plans/);
    const history = await harness.as("dev").get(`/messages/${id}/history`);
    expect(JSON.stringify(history.body)).not.toMatch(/secret|plans/);
    expect(history.body.message_history).toHaveLength(1);
    const own = await harness.as("ada").get(`/messages/${id}/history`);
    expect(own.body.message_history).toHaveLength(4);
  });
});

describe("a later subscriber of a channel with protected history", () => {
  let attic: number;
  let before: number;
  beforeEach(async () => {
    attic = (await harness.channel(`attic ${Math.random()}`, ["ada", "ben"], { isPrivate: true })).id;
    before = await say("ada", attic, { content: "before-elin" });
    const name = (await harness.as("ada").get(`/streams/${attic}`)).body.stream.name;
    await expectSuccess(
      harness.as("ada").post("/users/me/subscriptions", {
        subscriptions: [{ name }],
        principals: [harness.user("elin").id],
      }),
    );
  });

  test("gets no event on changes of earlier messages", async () => {
    await expectSilence(harness, { hears: "ben", silent: ["elin"] }, () =>
      expectSuccess(edit("ada", before, { content: "still-before" })),
    );
    const after = await say("ada", attic);
    const all = { topic: "elsewhere", propagate_mode: "change_all", send_notification_to_new_thread: false };
    const heard = await followAll(harness, ["elin", "ben"], () => expectSuccess(edit("ada", after, all)));
    expect(heard.elin).toMatchObject([{ message_ids: [after] }]);
    expect(heard.ben).toMatchObject([{ message_ids: [before, after] }]);
  });

  test("does not see the earlier versions of a message that moves to where they can read it", async () => {
    await expectSuccess(edit("ada", before, { content: "told to all" }));
    await expectSuccess(edit("ada", before, { stream_id: pantry, topic: "open" }));
    const { body } = await harness.as("elin").get(`/messages/${before}/history`);
    expect(body.message_history).toHaveLength(1);
    expect(JSON.stringify([body, await show("elin", before)])).not.toMatch(/before-elin|lunch/);
    expect((await harness.as("ada").get(`/messages/${before}/history`)).body.message_history).toHaveLength(3);
  });

  test("can't respell the topic of earlier messages", async () => {
    const after = await say("ada", attic);
    const all = { topic: "LUNCH", propagate_mode: "change_all" };
    expect(await refusal(edit("elin", after, all))).toBe("Nothing to change");
    for (const id of [before, after]) expect((await show("ada", id)).subject).toBe("lunch");
  });

  test("can't move earlier messages to where they could read them", async () => {
    const after = await say("ada", attic);
    await expectSuccess(edit("elin", after, { topic: "taken", propagate_mode: "change_all" }));
    expect((await show("ada", before)).subject).toBe("lunch");
  });
});
