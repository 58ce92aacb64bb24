import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CustomEmoji, customEmoji } from "../../server/features/emoji/custom-emoji.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { changeState } from "../../server/platform/log/change.ts";
import { nobody } from "../../server/platform/log/log-entry.ts";
import { done, sayIn } from "../harness/answers.ts";
import { everybody, expectSilence, followAll, names, startAll } from "../harness/follow.ts";
import { type CastName, createWorld, type World } from "../harness/harness.ts";
import { untilWaiting } from "../harness/waiting.ts";

let w: World;
let leads: number;
beforeAll(async () => {
  w = await createWorld();
  await w.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"]);
  leads = (await w.channel("leads", ["ada", "ben"], { isPrivate: true })).id;
});
afterAll(() => w.close());

const say = sayIn(() => w);

const react = (name: CastName, id: number, emoji_name = "octopus", more: Record<string, unknown> = {}) =>
  w.as(name).post(`/messages/${id}/reactions`, { emoji_name, ...more });
const unreact = (name: CastName, id: number, params: Record<string, unknown>) =>
  w.as(name).delete(`/messages/${id}/reactions`, params);

async function reactionsOf(name: CastName, id: number): Promise<Record<string, unknown>[]> {
  return (await w.as(name).get(`/messages/${id}`)).body.message.reactions;
}

/** What making an emoji, and taking it out of use, does to the nodes' memory. */
const put = (emoji: CustomEmoji) =>
  changeState(w.state, async (tx) => tx.append({ type: "emoji" }, nobody, { [customEmoji.name]: [emoji] }));

const octopus = { emoji_name: "octopus", emoji_code: "1f419", reaction_type: "unicode_emoji" };

describe("a reaction", () => {
  test("comes to those who can read the message, and goes again", async () => {
    const people = await startAll(w, everybody);
    const id = await say("ada", "kitchen");
    await done(react("dev", id));
    for (const follower of people) await follower.catchUp();
    for (const follower of people) await follower.compare();
    expect(await reactionsOf("gus", id)).toEqual([{ ...octopus, user_id: w.user("dev").id }]);
    await done(unreact("dev", id, { emoji_name: "octopus" }));
    for (const follower of people) await follower.catchUp();
    for (const follower of people) await follower.compare();
    expect(await reactionsOf("gus", id)).toEqual([]);
  });

  test("that is taken back while its message goes out of sight is told before that, or not at all", async () => {
    const id = await say("ada", "kitchen");
    await done(react("dev", id));
    const { database } = w.state;
    let calls: Promise<unknown>[] = [];
    const heard = await followAll(w, ["gus"], async () => {
      await database.transaction(async (tx) => {
        await tx.query(sql`select from reactions where message_id = ${id} for update`);
        calls = [done(unreact("dev", id, { emoji_name: "octopus" }))];
        await untilWaiting(database, 1);
        const moving = done(w.as("ada").patch(`/messages/${id}`, { stream_id: leads }));
        calls.push(moving);
        await untilWaiting(database, 2, moving);
      });
      await Promise.all(calls);
    });
    expect(names(heard.gus)).toEqual(["reaction/remove", "delete_message"]);
  });

  test("names the person in full, for older clients", async () => {
    const id = await say("ada", "kitchen");
    const heard = await followAll(w, ["ben"], () => done(react("dev", id)));
    const { id: user_id, email } = w.user("dev");
    const user = { user_id, email, full_name: "Dev Rao", is_mirror_dummy: false };
    expect(heard.ben).toMatchObject([
      { type: "reaction", op: "add", ...octopus, user_id, user, message_id: id },
    ]);
  });

  test("is not heard by those who can't read the message", async () => {
    const id = await say("ada", "leads");
    const react = () => w.as("ben").post(`/messages/${id}/reactions`, { emoji_name: "tada" });
    await expectSilence(w, { hears: "ada", silent: ["cleo", "dev", "gus", "zed"] }, () => done(react()));
    for (const name of ["dev", "gus", "zed"] as const) {
      const { status, body } = await w.as(name).post(`/messages/${id}/reactions`, { emoji_name: "tada" });
      expect([status, body.msg], name).toEqual([400, "Invalid message(s)"]);
    }
  });

  test("to what was said before somebody joined a channel that keeps its history to itself is not heard by them", async () => {
    await w.channel("attic", ["ada", "ben"], { isPrivate: true });
    const before = await say("ada", "attic");
    await done(
      w.as("ada").post("/users/me/subscriptions", {
        subscriptions: [{ name: "attic" }],
        principals: [w.user("elin").id],
      }),
    );
    const after = await say("ada", "attic");
    await expectSilence(w, { hears: "ben", silent: ["elin"] }, () => done(react("ada", before)));
    const heard = await followAll(w, ["elin"], () => done(react("ada", after)));
    expect(names(heard.elin)).toContain("reaction/add");
    expect((await react("elin", before)).body.msg).toBe("Invalid message(s)");
  });

  test("to a direct message is heard by its people alone", async () => {
    const id = await say("dev", [w.user("gus").id], { type: "direct", topic: undefined });
    await expectSilence(w, { hears: "dev", silent: ["ada", "ben", "echo", "zed"] }, () =>
      done(react("gus", id)),
    );
  });
});

describe("reacting", () => {
  test("twice with the same emoji is refused, under another of its names too", async () => {
    const id = await say("ada", "kitchen");
    await done(react("dev", id, "thumbs_up"));
    expect((await react("dev", id, "thumbs_up")).body.code).toBe("REACTION_ALREADY_EXISTS");
    expect((await react("dev", id, "+1")).body.code).toBe("REACTION_ALREADY_EXISTS");
    await done(react("ben", id, "+1"));
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

  test("takes back only what is there, and needs to be told what", async () => {
    const id = await say("ada", "kitchen");
    await done(react("ben", id));
    expect((await unreact("dev", id, { emoji_name: "octopus" })).body.code).toBe("REACTION_DOES_NOT_EXIST");
    expect((await unreact("dev", id, { emoji_name: "no_such_emoji" })).body.code).toBe("BAD_REQUEST");
    expect((await unreact("ben", id, {})).body.code).toBe("BAD_REQUEST");
    await done(unreact("ben", id, { emoji_code: "1f419", reaction_type: "unicode_emoji" }));
    await done(react("ben", id));
    await done(unreact("ben", id, { emoji_code: "1f419" }));
  });

  test("with a custom emoji works while it is in use; after that one may only join", async () => {
    const id = await say("ada", "kitchen");
    const soup = { id: 7, name: "party_soup", fileName: "7.png", isAnimated: false, authorId: null };
    await put({ ...soup, isActive: true });
    await done(react("dev", id, "party_soup"));
    const named = { emoji_code: "7", reaction_type: "realm_emoji" };
    expect((await react("ben", await say("ada", "kitchen"), "party_stew", named)).body.msg).toBe(
      "The emoji's name and code do not belong together.",
    );
    await put({ ...soup, isActive: false });
    const code = { emoji_code: "7", reaction_type: "realm_emoji" };
    await done(react("ben", id, "party_soup", code));
    const other = await say("ada", "kitchen");
    expect((await react("ben", other, "party_soup", code)).body.code).toBe("BAD_REQUEST");
    expect((await react("ben", other, "party_soup")).body.code).toBe("BAD_REQUEST");
    expect(await reactionsOf("ada", id)).toMatchObject([code, code]);
  });

  test("with the emoji that is neither Unicode's nor the organization's is told under the service's word for it", async () => {
    const id = await say("ada", "kitchen");
    await done(react("dev", id, "zulip", { emoji_code: "zulip", reaction_type: "zulip_extra_emoji" }));
    expect(await reactionsOf("dev", id)).toMatchObject([{ reaction_type: "service_extra_emoji" }]);
    await done(unreact("dev", id, { emoji_name: "zulip" }));
  });

  test("makes a message match has:reaction", async () => {
    const [id, other] = [await say("ada", "kitchen"), await say("ada", "kitchen")];
    await done(react("dev", id));
    const find = async (negated: boolean) => {
      const narrow = [
        { operator: "channel", operand: "kitchen" },
        { operator: "has", operand: "reaction", negated },
      ];
      const { body } = await w
        .as("dev")
        .get("/messages", { anchor: "newest", num_before: 2, num_after: 0, narrow });
      return body.messages.map((message: { id: number }) => message.id);
    };
    expect(await find(false)).toContain(id);
    expect(await find(false)).not.toContain(other);
    expect(await find(true)).toContain(other);
  });

  test("to a message of another organization is refused as if there were none", async () => {
    const id = await say("ada", "kitchen");
    expect((await react("zed", id)).body).toEqual((await react("zed", 99_999_999)).body);
  });
});
