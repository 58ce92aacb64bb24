import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CustomEmoji, customEmoji } from "../../server/content/emoji/custom-emoji.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { expectSuccess, sayIn } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll, startAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";
import { untilWaiting } from "../harness/waiting.ts";

let harness: Harness;
let leads: number;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"]);
  leads = (await harness.channel("leads", ["ada", "ben"], { isPrivate: true })).id;
});
afterAll(() => harness.close());

const say = sayIn(() => harness);

const react = (name: CastName, id: number, emoji_name = "octopus", more: Record<string, unknown> = {}) =>
  harness.as(name).post(`/messages/${id}/reactions`, { emoji_name, ...more });
const unreact = (name: CastName, id: number, params: Record<string, unknown>) =>
  harness.as(name).delete(`/messages/${id}/reactions`, params);

async function reactionsOf(name: CastName, id: number): Promise<Record<string, unknown>[]> {
  return (await harness.as(name).get(`/messages/${id}`)).body.message.reactions;
}

/** What making an emoji, and taking it out of use, does to the nodes' memory. */
const put = (emoji: CustomEmoji) =>
  runStateChange(harness.state, async (tx) => tx.appendPatch({ [customEmoji.name]: [emoji] }));

const octopus = { emoji_name: "octopus", emoji_code: "1f419", reaction_type: "unicode_emoji" };

describe("a reaction", () => {
  test("reaches people who can read the message, and so does its removal", async () => {
    const people = await startAll(harness, everybody);
    const id = await say("ada", "kitchen");
    await expectSuccess(react("dev", id));
    await Promise.all(people.map((follower) => follower.catchUp()));
    await Promise.all(people.map((follower) => follower.compare()));
    expect(await reactionsOf("gus", id)).toEqual([{ ...octopus, user_id: harness.user("dev").id }]);
    await expectSuccess(unreact("dev", id, { emoji_name: "octopus" }));
    await Promise.all(people.map((follower) => follower.catchUp()));
    await Promise.all(people.map((follower) => follower.compare()));
    expect(await reactionsOf("gus", id)).toEqual([]);
  });

  test("that is removed while its message moves out of reach is announced before that, or not at all", async () => {
    const id = await say("ada", "kitchen");
    await expectSuccess(react("dev", id));
    const { database } = harness.state;
    let calls: Promise<unknown>[] = [];
    const heard = await followAll(harness, ["gus"], async () => {
      await database.transaction(async (tx) => {
        await tx.query(sql`select from reactions where message_id = ${id} for update`);
        calls = [expectSuccess(unreact("dev", id, { emoji_name: "octopus" }))];
        await untilWaiting(database, 1);
        const moving = expectSuccess(harness.as("ada").patch(`/messages/${id}`, { stream_id: leads }));
        calls.push(moving);
        await untilWaiting(database, 2, moving);
      });
      await Promise.all(calls);
    });
    expect(eventNames(heard.gus)).toEqual(["reaction/remove", "delete_message"]);
  });

  test("names the person in full, for older clients", async () => {
    const id = await say("ada", "kitchen");
    const heard = await followAll(harness, ["ben"], () => expectSuccess(react("dev", id)));
    const { id: user_id, email } = harness.user("dev");
    const user = { user_id, email, full_name: "Dev Rao", is_mirror_dummy: false };
    expect(heard.ben).toMatchObject([
      { type: "reaction", op: "add", ...octopus, user_id, user, message_id: id },
    ]);
  });

  test("does not reach people who can't read the message", async () => {
    const id = await say("ada", "leads");
    const react = () => harness.as("ben").post(`/messages/${id}/reactions`, { emoji_name: "tada" });
    await expectSilence(harness, { hears: "ada", silent: ["cleo", "dev", "gus", "zed"] }, () =>
      expectSuccess(react()),
    );
    for (const name of ["dev", "gus", "zed"] as const) {
      const { status, body } = await harness
        .as(name)
        .post(`/messages/${id}/reactions`, { emoji_name: "tada" });
      expect([status, body.msg], name).toEqual([400, "Invalid message(s)"]);
    }
  });

  test("to an older message does not reach people who joined a channel with protected history later", async () => {
    await harness.channel("attic", ["ada", "ben"], { isPrivate: true });
    const before = await say("ada", "attic");
    await expectSuccess(
      harness.as("ada").post("/users/me/subscriptions", {
        subscriptions: [{ name: "attic" }],
        principals: [harness.user("elin").id],
      }),
    );
    const after = await say("ada", "attic");
    await expectSilence(harness, { hears: "ben", silent: ["elin"] }, () =>
      expectSuccess(react("ada", before)),
    );
    const heard = await followAll(harness, ["elin"], () => expectSuccess(react("ada", after)));
    expect(eventNames(heard.elin)).toContain("reaction/add");
    expect((await react("elin", before)).body.msg).toBe("Invalid message(s)");
  });

  test("to a direct message reaches only the people of the conversation", async () => {
    const id = await say("dev", [harness.user("gus").id], { type: "direct", topic: undefined });
    await expectSilence(harness, { hears: "dev", silent: ["ada", "ben", "echo", "zed"] }, () =>
      expectSuccess(react("gus", id)),
    );
  });
});

describe("reacting", () => {
  test("twice with the same emoji is refused, under another of its names too", async () => {
    const id = await say("ada", "kitchen");
    await expectSuccess(react("dev", id, "thumbs_up"));
    expect((await react("dev", id, "thumbs_up")).body.code).toBe("REACTION_ALREADY_EXISTS");
    expect((await react("dev", id, "+1")).body.code).toBe("REACTION_ALREADY_EXISTS");
    await expectSuccess(react("ben", id, "+1"));
    const shown = await reactionsOf("ada", id);
    expect(shown.map(({ emoji_name }) => emoji_name)).toEqual(["thumbs_up", "thumbs_up"]);
  });

  test("by an unknown name, or by a name and a code of different emoji, is refused", async () => {
    const id = await say("ada", "kitchen");
    expect(await react("dev", id, "no_such_emoji")).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST" },
    });
    const wrong = { emoji_code: "1f44d", reaction_type: "unicode_emoji" };
    expect(await react("dev", id, "octopus", wrong)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST" },
    });
    const extra = { emoji_code: "zulip", reaction_type: "unicode_emoji" };
    for (const [name, params] of [
      ["octopus", { emoji_code: "1f44d" }],
      ["zulip", extra],
    ] as const) {
      expect((await react("dev", id, name, params)).body.code, name).toBe("BAD_REQUEST");
    }
    expect(await reactionsOf("dev", id)).toEqual([]);
  });

  test("can be removed only if it is there and named", async () => {
    const id = await say("ada", "kitchen");
    await expectSuccess(react("ben", id));
    expect((await unreact("dev", id, { emoji_name: "octopus" })).body.code).toBe("REACTION_DOES_NOT_EXIST");
    expect((await unreact("dev", id, { emoji_name: "no_such_emoji" })).body.code).toBe("BAD_REQUEST");
    expect((await unreact("ben", id, {})).body.code).toBe("BAD_REQUEST");
    await expectSuccess(unreact("ben", id, { emoji_code: "1f419", reaction_type: "unicode_emoji" }));
    await expectSuccess(react("ben", id));
    await expectSuccess(unreact("ben", id, { emoji_code: "1f419" }));
  });

  test("with a custom emoji works while the emoji is in use; after that people may only join", async () => {
    const id = await say("ada", "kitchen");
    const soup = { id: 7, name: "party_soup", fileName: "7.png", isAnimated: false, authorId: null };
    await put({ ...soup, isActive: true });
    await expectSuccess(react("dev", id, "party_soup"));
    const named = { emoji_code: "7", reaction_type: "realm_emoji" };
    expect((await react("ben", await say("ada", "kitchen"), "party_stew", named)).body.msg).toBe(
      "The emoji's name and code do not match.",
    );
    await put({ ...soup, isActive: false });
    const code = { emoji_code: "7", reaction_type: "realm_emoji" };
    await expectSuccess(react("ben", id, "party_soup", code));
    const other = await say("ada", "kitchen");
    expect((await react("ben", other, "party_soup", code)).body.code).toBe("BAD_REQUEST");
    expect((await react("ben", other, "party_soup")).body.code).toBe("BAD_REQUEST");
    expect(await reactionsOf("ada", id)).toMatchObject([code, code]);
  });

  test("with the emoji that is neither in Unicode nor the organization's has a type of its own", async () => {
    const id = await say("ada", "kitchen");
    await expectSuccess(
      react("dev", id, "zulip", { emoji_code: "zulip", reaction_type: "zulip_extra_emoji" }),
    );
    expect(await reactionsOf("dev", id)).toMatchObject([{ reaction_type: "service_extra_emoji" }]);
    await expectSuccess(unreact("dev", id, { emoji_name: "zulip" }));
  });

  test("makes a message match has:reaction", async () => {
    const [id, other] = [await say("ada", "kitchen"), await say("ada", "kitchen")];
    await expectSuccess(react("dev", id));
    const find = async (negated: boolean) => {
      const narrow = [
        { operator: "channel", operand: "kitchen" },
        { operator: "has", operand: "reaction", negated },
      ];
      const { body } = await harness
        .as("dev")
        .get("/messages", { anchor: "newest", num_before: 2, num_after: 0, narrow });
      return body.messages.map((message: { id: number }) => message.id);
    };
    expect(await find(false)).toContain(id);
    expect(await find(false)).not.toContain(other);
    expect(await find(true)).toContain(other);
  });

  test("to a message of another organization is refused like one that does not exist", async () => {
    const id = await say("ada", "kitchen");
    expect((await react("zed", id)).body).toEqual((await react("zed", 99_999_999)).body);
  });
});
