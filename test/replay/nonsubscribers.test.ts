import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MessageId } from "../../api/ids.ts";
import { lockReadState, trySharePlacesOf } from "../../server/messages/read-state/read-state-lock.ts";
import { insertReadStatement } from "../../server/messages/read-state/store.ts";
import { expectSuccess, sayIn } from "../harness/answers.ts";
import { eventNames, follow, followAll, forms, throughout } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
let pantry: number;
let leads: number;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev", "elin"]);
  pantry = (await harness.channel("pantry", ["ada", "elin"])).id;
  leads = (await harness.channel("leads", ["ada"], { isPrivate: true })).id;
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const flag = (name: CastName, op: string, flag: string, messages: number[]) =>
  expectSuccess(harness.as(name).post("/messages/flags", { messages, op, flag }));
const leave = (name: CastName) =>
  expectSuccess(harness.as(name).delete("/users/me/subscriptions", { subscriptions: ["kitchen"] }));
const join = (name: CastName) =>
  expectSuccess(harness.as(name).post("/users/me/subscriptions", { subscriptions: [{ name: "kitchen" }] }));
const move = (id: number, channel: number) =>
  expectSuccess(
    harness.as("ada").patch(`/messages/${id}`, {
      stream_id: channel,
      propagate_mode: "change_all",
      send_notification_to_new_thread: false,
    }),
  );
const flagsOf = async (name: CastName, id: number) =>
  (await harness.as(name).get(`/messages/${id}`)).body.message.flags;

describe("a user who left a channel that they can still read", () => {
  const starred = async () => {
    await join("dev");
    const id = await say("dev", "kitchen", { topic: "stars" });
    await flag("dev", "add", "starred", [id]);
    await leave("dev");
    return id;
  };

  test.each<[string, (id: number) => Promise<unknown>, string]>([
    ["is deleted", (id) => expectSuccess(harness.as("ada").delete(`/messages/${id}`)), "delete_message"],
    ["moves where they can't read it", (id) => move(id, leads), "delete_message"],
    ["moves where they can read it", (id) => move(id, pantry), "update_message"],
    [
      "is reacted to",
      (id) => expectSuccess(harness.as("elin").post(`/messages/${id}/reactions`, { emoji_name: "tada" })),
      "reaction/add",
    ],
  ])("gets the event when a message that they starred %s", async (_, change, event) => {
    const id = await starred();
    const heard = await followAll(harness, ["ada", "dev"], () => change(id));
    expect(eventNames(heard.dev)).toContain(event);
  });

  test("gets the events on their own changes to a message there", async () => {
    await join("dev");
    const id = await say("dev", "kitchen", { topic: "own" });
    await leave("dev");
    const heard = await followAll(harness, ["dev"], async () => {
      await expectSuccess(harness.as("dev").patch(`/messages/${id}`, { content: "Bread today?" }));
      await expectSuccess(harness.as("dev").post(`/messages/${id}/reactions`, { emoji_name: "tada" }));
      await expectSuccess(harness.as("dev").delete(`/messages/${id}`));
    });
    expect(eventNames(heard.dev)).toEqual(["update_message", "reaction/add", "delete_message"]);
  });

  test("gets each event once, even if their queue is for all public channels", async () => {
    const id = await starred();
    const forms = [{ all_public_streams: true }];
    const heard = await followAll(harness, ["dev"], () => move(id, pantry), { forms });
    expect(eventNames(heard.dev).filter((name) => name === "update_message")).toHaveLength(1);
  });
});

describe("a person's read state moves with a message", () => {
  test("if the message is marked as read during the move", async () => {
    const id = (await say("ada", "kitchen", { topic: "race" })) as MessageId;
    const { organizationId } = harness.state;
    let moving: Promise<unknown> | undefined;
    let hasMoved = false;
    await harness.state.database.transaction(async (tx) => {
      const userId = harness.user("elin").id;
      await trySharePlacesOf(tx, organizationId, userId, [id]);
      await tx.query(insertReadStatement(organizationId, [{ userId, ids: [id], hasMuted: false }]));
      moving = move(id, pantry).then(() => {
        hasMoved = true;
      });
      // Long enough for a move that would not wait.
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(hasMoved).toBe(false);
    });
    await moving;
    expect(await flagsOf("elin", id)).toContain("read");
  });

  test("and marking messages during a move waits for it, without blocking other requests", async () => {
    const id = await say("ada", "kitchen", { topic: "slow" });
    const { organizationId } = harness.state;
    let marks: Promise<unknown>[] = [];
    await harness.state.database.transaction(async (tx) => {
      await lockReadState(tx, organizationId);
      // More than there are connections.
      marks = Array.from({ length: 30 }, () => flag("elin", "add", "read", [id]));
      // Long enough for marks that would not wait.
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await flagsOf("elin", id)).not.toContain("read");
    });
    await Promise.all(marks);
    expect(await flagsOf("elin", id)).toContain("read");
  });

  test("if the message was marked as unread, even from before the subscription", async () => {
    const id = await say("ada", "kitchen", { topic: "early" });
    await leave("elin");
    await join("elin");
    await throughout(
      harness,
      async () => {
        await flag("elin", "remove", "read", [id]);
        expect(await flagsOf("elin", id)).not.toContain("read");
        return [id];
      },
      () => move(id, pantry),
    );
    expect(await flagsOf("elin", id)).not.toContain("read");
  });

  test("but becomes read in a channel that the person is not subscribed to", async () => {
    await join("dev");
    const ids = await throughout(
      harness,
      async () => {
        const ids: number[] = [];
        for (let n = 0; n < 3; n++) ids.push(await say("ada", "kitchen", { topic: "unread" }));
        return ids;
      },
      (ids) => move(ids[1] as number, pantry),
    );
    for (const id of ids) expect(await flagsOf("dev", id)).toContain("read");
    for (const id of ids) expect(await flagsOf("elin", id)).not.toContain("read");
  });

  test("and clients get an event on the messages that became read", async () => {
    await join("dev");
    const ids = [
      await say("ada", "kitchen", { topic: "told" }),
      await say("ada", "kitchen", { topic: "told" }),
    ];
    const heard = await followAll(harness, ["dev"], () => move(ids[0] as number, pantry));
    const told = heard.dev?.filter(({ type }) => type === "update_message_flags");
    expect(told).toMatchObject([{ op: "add", flag: "read", messages: ids }]);
  });
});

test("clients that know no archived channels get no event on one with protected history", async () => {
  const vault = await harness.channel("vault", ["ada", "dev"], { isPrivate: true, isHistoryShared: false });
  const id = await say("dev", vault.id);
  await expectSuccess(harness.as("ada").delete(`/streams/${vault.id}`));
  const react = (name: string) => () =>
    expectSuccess(harness.as("ada").post(`/messages/${id}/reactions`, { emoji_name: name }));
  expect(eventNames(await follow(harness, "dev", react("tada"), { forms: [forms.plain] }))).toEqual([]);
  expect(eventNames(await follow(harness, "dev", react("smile"), { forms: [forms.modern] }))).toEqual([
    "reaction/add",
  ]);
});

test("a user who can't read the first of several moved messages gets only the others", async () => {
  const safe = await harness.channel("safe", ["ada"], { isPrivate: true, isHistoryShared: false });
  const early = await say("ada", safe.id, { topic: "plans", content: "Only between us" });
  const principals = [harness.user("dev").id];
  await expectSuccess(
    harness.as("ada").post("/users/me/subscriptions", { subscriptions: [{ name: "safe" }], principals }),
  );
  const late = await say("ada", safe.id, { topic: "plans", content: "@**Dev Rao** hello" });
  const heard = await followAll(harness, ["ada", "dev"], () =>
    expectSuccess(
      harness
        .as("ada")
        .patch(`/messages/${early}`, { content: "Secret", topic: "news", propagate_mode: "change_all" }),
    ),
  );
  const [event] = heard.dev?.filter(({ type }) => type === "update_message") ?? [];
  expect(event).toMatchObject({
    message_id: late,
    message_ids: [late],
    subject: "news",
    flags: ["mentioned"],
  });
  expect(JSON.stringify(heard.dev)).not.toMatch(/Secret|between us/);
  expect(JSON.stringify(heard.ada)).toContain("Secret");
});
