import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { roles } from "../../api/roles.ts";
import type { QueuedEvent } from "../../client/contract.ts";
import { queuesOf } from "../../server/platform/queues/organization-queues.ts";
import { expectSuccess, sayIn } from "../harness/answers.ts";
import { followAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";
import type { Event } from "../harness/listener.ts";

const people: CastName[] = ["ada", "ben", "cleo", "dev", "elin", "gus"];

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", people);
});
afterAll(() => harness?.close());

const ids = (...names: CastName[]) => names.map((name) => harness.user(name).id);
const say = sayIn(() => harness);
/** The flags in the event of an edit. */
function flagsIn(events: readonly QueuedEvent[] | undefined): readonly string[] {
  const update = events?.find(({ type }) => type === "update_message") as { flags?: string[] } | undefined;
  return update?.flags ?? [];
}

let made = 0;
/** Makes a group, and gives its id and the text that mentions it. */
async function group(members: CastName[], subgroups: number[] = []): Promise<{ id: number; text: string }> {
  const name = `group ${++made}`;
  const request = { name, description: "", members: ids(...members), subgroups };
  const { group_id: id } = await expectSuccess(harness.as("ada").post("/user_groups/create", request));
  return { id, text: `@*${name}* soup` };
}

const change = (id: number, what: Record<string, number[]>) =>
  expectSuccess(harness.as("ada").post(`/user_groups/${id}/members`, what));
const setRole = (name: CastName, role: number) =>
  expectSuccess(harness.as("ada").patch(`/users/${harness.user(name).id}`, { role }));
const systemGroup = async (name: string): Promise<number> => {
  const { user_groups } = await expectSuccess(harness.as("ada").get("/user_groups"));
  return user_groups.find((each: { name: string }) => each.name === name).id;
};

const edit = (id: number, content: string) =>
  expectSuccess(harness.as("ada").patch(`/messages/${id}`, { content }));

const registration = { event_types: ["typing"], fetch_event_types: ["message", "update_message_flags"] };

/** Whom a message mentions. The flags, the narrow and the snapshot must agree. */
async function mentioned(id: number, among = people): Promise<CastName[]> {
  const found: CastName[] = [];
  for (const name of among) {
    const as = harness.as(name);
    const { message } = await expectSuccess(as.get(`/messages/${id}`));
    const narrow = [{ operator: "is", operand: "mentioned" }];
    const page = { anchor: id, num_before: 0, num_after: 0, narrow };
    const { messages } = await expectSuccess(as.get("/messages", page));
    const without = { ...page, narrow: [{ ...narrow[0], negated: true }] };
    const others = (await expectSuccess(as.get("/messages", without))).messages;
    const { unread_msgs } = await expectSuccess(as.post("/register", registration));
    const isFlagged = message.flags.includes("mentioned");
    expect(messages.length, `${name} finds it by is:mentioned`).toBe(isFlagged ? 1 : 0);
    expect(others.length, `${name} finds it by -is:mentioned`).toBe(isFlagged ? 0 : 1);
    if (!message.flags.includes("read")) {
      expect(unread_msgs.mentions.includes(id), `the snapshot of ${name} has it`).toBe(isFlagged);
    }
    if (isFlagged) found.push(name);
  }
  return found;
}

describe("a mention of a group stays with those who were in it", () => {
  test("when people are added and removed", async () => {
    const cooks = await group(["dev", "gus"]);
    await followAll(harness, ["dev", "elin"], async () => {
      const id = await say("ada", "kitchen", { content: cooks.text });
      expect(await mentioned(id)).toEqual(["dev", "gus"]);
      await change(cooks.id, { add: ids("elin") });
      expect(await mentioned(id)).toEqual(["dev", "gus"]);
      await change(cooks.id, { delete: ids("dev") });
      expect(await mentioned(id)).toEqual(["dev", "gus"]);
    });
    const later = await say("ada", "kitchen", { content: cooks.text });
    expect(await mentioned(later)).toEqual(["elin", "gus"]);
  });

  test("when the group is deactivated, comes back or is deleted", async () => {
    const cooks = await group(["elin", "gus"]);
    const id = await say("ada", "kitchen", { content: cooks.text });
    await followAll(harness, ["dev", "elin"], async () => {
      await expectSuccess(harness.as("ada").post(`/user_groups/${cooks.id}/deactivate`));
      expect(await mentioned(id)).toEqual(["elin", "gus"]);
      await expectSuccess(harness.as("ada").patch(`/user_groups/${cooks.id}`, { deactivated: false }));
      await change(cooks.id, { add: ids("dev"), delete: ids("gus") });
      expect(await mentioned(id)).toEqual(["elin", "gus"]);
      await expectSuccess(harness.as("ada").delete(`/user_groups/${cooks.id}`));
      expect(await mentioned(id)).toEqual(["elin", "gus"]);
    });
  });

  test("when somebody leaves and comes back", async () => {
    const cooks = await group(["dev"]);
    const first = await say("ada", "kitchen", { content: cooks.text });
    await change(cooks.id, { delete: ids("dev") });
    const missed = await say("ada", "kitchen", { content: cooks.text });
    await change(cooks.id, { add: ids("dev") });
    const last = await say("ada", "kitchen", { content: cooks.text });
    expect([await mentioned(first), await mentioned(missed), await mentioned(last)]).toEqual([
      ["dev"],
      [],
      ["dev"],
    ]);
  });

  test("when subgroups and their members change", async () => {
    const inner = await group(["dev"]);
    const middle = await group(["elin"], [inner.id]);
    const outer = await group([], [middle.id]);
    const first = await say("ada", "kitchen", { content: outer.text });
    await change(inner.id, { add: ids("gus"), delete: ids("dev") });
    const second = await say("ada", "kitchen", { content: outer.text });
    await change(outer.id, { delete_subgroups: [middle.id] });
    const third = await say("ada", "kitchen", { content: outer.text });
    await change(outer.id, { add_subgroups: [inner.id] });
    await change(inner.id, { add: ids("dev") });
    const fourth = await say("ada", "kitchen", { content: outer.text });
    expect(await mentioned(first)).toEqual(["dev", "elin"]);
    expect(await mentioned(second)).toEqual(["elin", "gus"]);
    expect(await mentioned(third)).toEqual([]);
    expect(await mentioned(fourth)).toEqual(["dev", "gus"]);
  });

  test("when the role of somebody in a group of a role changes", async () => {
    const leads = await group(["gus"], [await systemGroup("role:moderators")]);
    const first = await say("ada", "kitchen", { content: leads.text });
    await setRole("elin", roles.moderator);
    const second = await say("ada", "kitchen", { content: leads.text });
    await setRole("elin", roles.member);
    await setRole("cleo", roles.member);
    const third = await say("ada", "kitchen", { content: leads.text });
    expect(await mentioned(first)).toEqual(["ada", "ben", "cleo", "gus"]);
    expect(await mentioned(second)).toEqual(["ada", "ben", "cleo", "elin", "gus"]);
    expect(await mentioned(third)).toEqual(["ada", "ben", "gus"]);
    await setRole("cleo", roles.moderator);
  });

  test("when the waiting period of new members changes", async () => {
    const full = await group(["gus"], [await systemGroup("role:fullmembers")]);
    const wait = (days: number) =>
      expectSuccess(harness.as("ada").patch("/realm", { waiting_period_threshold: days }));
    const first = await say("ada", "kitchen", { content: full.text });
    await wait(30);
    const second = await say("ada", "kitchen", { content: full.text });
    expect(await mentioned(first)).toEqual(people);
    await wait(0);
    expect(await mentioned(first)).toEqual(people);
    expect(await mentioned(second)).toEqual(["ada", "ben", "cleo", "gus"]);
  });

  test("when an account is deactivated for a while", async () => {
    const cooks = await group(["dev", "elin"]);
    const others = people.filter((name) => name !== "elin");
    const path = `/users/${harness.user("elin").id}`;
    const first = await say("ada", "kitchen", { content: cooks.text });
    await expectSuccess(harness.as("ada").delete(path));
    const missed = await say("ada", "kitchen", { content: cooks.text });
    expect(await mentioned(first, others)).toEqual(["dev"]);
    await expectSuccess(harness.as("ada").post(`${path}/reactivate`));
    const last = await say("ada", "kitchen", { content: cooks.text });
    const key = await expectSuccess(harness.as("ada").get(path));
    expect(key.user.is_active).toBe(true);
    const elin = harness.as("elin");
    const flags = async (id: number) => (await elin.get(`/messages/${id}`)).body.message.flags;
    expect([await flags(first), await flags(missed), await flags(last)]).toEqual([
      ["mentioned"],
      [],
      ["mentioned"],
    ]);
  });
});

describe("an edit", () => {
  test("that adds a group mentions those who are in it at the edit", async () => {
    const cooks = await group(["dev"]);
    const id = await say("ada", "kitchen", { content: "soup" });
    await change(cooks.id, { add: ids("elin"), delete: ids("dev") });
    const heard = await followAll(harness, people, () => edit(id, cooks.text));
    expect(people.filter((name) => flagsIn(heard[name]).includes("mentioned"))).toEqual(["elin"]);
    await followAll(harness, ["dev", "elin"], () =>
      change(cooks.id, { add: ids("dev"), delete: ids("elin") }),
    );
    expect(await mentioned(id)).toEqual(["elin"]);
  });

  test("that keeps a group mentions nobody else, and another group counts from the edit on", async () => {
    const cooks = await group(["dev"]);
    const judges = await group(["ben"]);
    const id = await say("ada", "kitchen", { content: cooks.text });
    await change(cooks.id, { add: ids("elin"), delete: ids("dev") });
    await change(judges.id, { add: ids("cleo"), delete: ids("ben") });
    const heard = await followAll(harness, people, () => edit(id, `${judges.text} and ${cooks.text}!`));
    expect(people.filter((name) => flagsIn(heard[name]).includes("mentioned"))).toEqual(["cleo", "dev"]);
    expect(await mentioned(id)).toEqual(["cleo", "dev"]);
    await edit(id, `${cooks.text}`);
    expect(await mentioned(id)).toEqual(["dev"]);
    await edit(id, "nothing");
    expect(await mentioned(id)).toEqual([]);
    await edit(id, cooks.text);
    expect(await mentioned(id)).toEqual(["elin"]);
  });

  test("and a move announce the flags of the first moment", async () => {
    const cooks = await group(["dev"]);
    const id = await say("ada", "kitchen", { content: cooks.text });
    await change(cooks.id, { add: ids("elin"), delete: ids("dev") });
    const move = { topic: "dinner", propagate_mode: "change_one" };
    const heard = await followAll(harness, people, () =>
      expectSuccess(harness.as("ada").patch(`/messages/${id}`, move)),
    );
    expect(people.filter((name) => flagsIn(heard[name]).includes("mentioned"))).toEqual(["dev"]);
  });
});

describe("a queue that is read again from the log", () => {
  test("gives the flags of the first moment, for messages and for edits", async () => {
    const cooks = await group(["dev"]);
    const queues = await Promise.all(
      (["dev", "elin"] as const).map(async (name) => {
        const { queue_id, last_event_id } = await expectSuccess(
          harness.as(name).post("/register", { event_types: ["message", "update_message"] }),
        );
        const queue = queuesOf(harness.state).byId.get(queue_id);
        if (!queue) throw new Error("there is no such queue");
        queue.isCold = true;
        return { name, poll: { queue_id, last_event_id, dont_block: true } };
      }),
    );
    await say("ada", "kitchen", { content: cooks.text });
    const edited = await say("ada", "kitchen", { content: "soup" });
    await edit(edited, cooks.text);
    await change(cooks.id, { add: ids("elin"), delete: ids("dev") });
    harness.state.recent.clear();
    const flags = await Promise.all(
      queues.map(async ({ name, poll }) => {
        const { events } = await expectSuccess(harness.as(name).get("/events", poll));
        // The notification bot writes to both about the group.
        const inChannel = events.filter((event: Event) => event.message?.type !== "private");
        return inChannel.map((event: Event) => event.flags.includes("mentioned"));
      }),
    );
    // The second message is given with the text that it has now.
    expect(flags).toEqual([
      [true, true, true],
      [false, false, false],
    ]);
  });
});

describe("marking a message as unread", () => {
  test("says whether it mentioned the reader when it was sent", async () => {
    const cooks = await group(["dev"]);
    const id = await say("ada", "kitchen", { content: cooks.text });
    const read = (op: string) => async () => {
      for (const name of ["dev", "elin"] as const) {
        const flag = { messages: [id], op, flag: "read" };
        await expectSuccess(harness.as(name).post("/messages/flags", flag));
      }
    };
    await followAll(harness, ["dev", "elin"], read("add"));
    await change(cooks.id, { add: ids("elin"), delete: ids("dev") });
    const heard = await followAll(harness, ["dev", "elin"], read("remove"));
    expect(heard.dev?.[0]).toMatchObject({ message_details: { [id]: { mentioned: true } } });
    expect(heard.elin?.[0]).not.toMatchObject({ message_details: { [id]: { mentioned: true } } });
  });
});
