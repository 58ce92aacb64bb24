import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { follow } from "../../../test/harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { createUser } from "../../people/actions.ts";
import { notificationBotOf } from "../../people/notification-bot.ts";
import { runStateChange } from "../../platform/log/change.ts";

let harness: Harness;
let count = 0;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const ids = (...names: CastName[]): number[] => names.map((name) => harness.user(name).id);

async function make(members: readonly number[], name = `group ${++count}`): Promise<number> {
  const { body } = await harness.as("ada").post("/user_groups/create", { name, description: "", members });
  return body.group_id;
}

async function change(name: CastName, id: number, what: Record<string, unknown>): Promise<void> {
  const { status, body } = await harness.as(name).post(`/user_groups/${id}/members`, what);
  expect(status, JSON.stringify(body)).toBe(200);
}

/** The messages of the notification bot to a person, oldest first. */
async function told(name: CastName): Promise<string[]> {
  const narrow = [{ operator: "dm", operand: [notificationBotOf(harness.state).id] }];
  const { body } = await harness
    .as(name)
    .get("/messages", { anchor: "newest", num_before: 100, num_after: 0, narrow, apply_markdown: false });
  return body.messages.map(({ content }: { content: string }) => content);
}

describe("a person added to a group, or removed from it, by someone else", () => {
  test("gets a direct message", async () => {
    const id = await make(ids("dev"));
    await follow(harness, "elin", () => change("ada", id, { add: ids("elin"), delete: ids("dev") }));
    const ada = `@_**Ada Osei|${harness.user("ada").id}**`;
    expect(await told("elin")).toEqual([`${ada} added you to the group @_*group ${count}*.`]);
    expect(await told("dev")).toEqual([`${ada} removed you from the group @_*group ${count}*.`]);
  });

  test("gets no message as a first member of a new group, or as a bot", async () => {
    const id = await make(ids("cleo"));
    await change("ada", id, { add: ids("echo") });
    expect(await told("cleo")).toEqual([]);
    expect(await told("echo")).toEqual([]);
  });

  test("gets a message that mentions nobody, whatever the group's name", async () => {
    const id = await make([], "*all* @**all**");
    await change("ada", id, { add: ids("gus") });
    expect(await told("gus")).toEqual([expect.stringContaining("group `*all* @**all**`.")]);
  });

  test("gets no message for their own change", async () => {
    const id = await make([]);
    await change("ada", id, { add: ids("ada") });
    await change("ada", id, { delete: ids("ada") });
    expect(await told("ada")).toEqual([]);
  });

  test("gets no message when a call changes more than 100 people", async () => {
    const crowd = await runStateChange(harness.state, async (tx) => {
      const people = [];
      for (let index = 0; index < 100; index++) {
        const person = { email: `crowd${index}@demo.test`, fullName: `Crowd ${index}`, passwordHash: null };
        people.push((await createUser(tx, harness.services.keyring, { ...person, role: roles.member })).id);
      }
      return people;
    });
    const before = await told("ben");
    await change("ada", await make([]), { add: [...crowd, ...ids("ben")] });
    expect(await told("ben")).toEqual(before);
    await change("ada", await make([]), { add: [...crowd.slice(1), ...ids("ben")] });
    expect(await told("ben")).toHaveLength(before.length + 1);
  });
});
