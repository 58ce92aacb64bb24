import { beforeEach, describe, expect, test } from "vitest";
import { exampleMessage } from "../../api/messages/message.ts";
import type { QueuedEvent } from "../contract.ts";
import { checkInvariants } from "./invariants.ts";
import { Model } from "./model.ts";

const ME = 10;
const GENERAL = 12;

const channel = {
  stream_id: GENERAL,
  name: "general",
  color: "#5b8def",
  is_muted: false,
  subscriber_count: 3,
};
const snapshot = {
  user_id: ME,
  subscriptions: [channel],
  unread_msgs: {
    count: 4,
    streams: [{ stream_id: GENERAL, topic: "Lunch", unread_message_ids: [1, 2] }],
    pms: [{ other_user_id: 11, sender_id: 11, unread_message_ids: [3] }],
    huddles: [{ user_ids_string: "10,11,13", unread_message_ids: [4] }],
    mentions: [2],
    old_unreads_missing: false,
  },
};

let model: Model;
let nextId = 100;
const hear = (event: Record<string, unknown>) => {
  model.handle({ id: nextId++, ...event } as QueuedEvent);
  checkInvariants(model);
};
const said = (message: Record<string, unknown>, flags: string[] = []) =>
  hear({ type: "message", message: { ...exampleMessage, stream_id: GENERAL, ...message }, flags });
const saidDirectly = (id: number, people: number[], flags: string[] = []) =>
  said(
    {
      id,
      type: "private",
      subject: "",
      sender_id: people[0],
      display_recipient: people.map((id) => ({ id })),
    },
    flags,
  );
const flagged = (op: "add" | "remove", messages: number[], more: Record<string, unknown> = {}) =>
  hear({ type: "update_message_flags", op, operation: op, flag: "read", messages, all: false, ...more });

beforeEach(() => {
  model = Model.fromSnapshot(snapshot);
});

test("a snapshot lists the unread messages of topics and conversations", () => {
  checkInvariants(model);
  expect([...model.unreads.inTopic(GENERAL, "lunch")]).toEqual([1, 2]);
  expect([...model.unreads.inConversation([11])]).toEqual([3]);
  expect([...model.unreads.inConversation([13, 11])]).toEqual([4]);
  expect(model.unreads.count).toBe(4);
});

describe("a new message", () => {
  test("is unread in its topic, ignoring the case of the topic's name", () => {
    said({ id: 5, subject: "LUNCH" });
    expect([...model.unreads.inTopic(GENERAL, "Lunch")]).toEqual([1, 2, 5]);
  });

  test("is unread in its conversation, which lists its people without the viewer", () => {
    saidDirectly(5, [11, ME]);
    expect([...model.unreads.inConversation([11])]).toEqual([3, 5]);
  });

  test("to the viewer alone is unread in the viewer's own conversation", () => {
    saidDirectly(5, [ME]);
    expect([...model.unreads.inConversation([ME])]).toEqual([5]);
  });

  test("is not unread if it has the flag `read`", () => {
    said({ id: 5 }, ["read"]);
    expect(model.unreads.has(5)).toBe(false);
  });

  test("is not unread in a channel that the viewer is not subscribed to", () => {
    said({ id: 5, stream_id: 99 });
    expect(model.unreads.has(5)).toBe(false);
  });

  test("is a mention if it has the flag, until it is read", () => {
    said({ id: 5 }, ["stream_wildcard_mentioned", "wildcard_mentioned"]);
    expect([...model.unreads.mentions]).toEqual([2, 5]);
    flagged("add", [5, 2]);
    expect([...model.unreads.mentions]).toEqual([]);
  });
});

describe("reading", () => {
  test("removes messages, and a topic with its last message", () => {
    flagged("add", [1, 2, 77]);
    expect(model.unreads.count).toBe(2);
    expect(model.unreads.buckets.size).toBe(2);
  });

  test("everything leaves nothing", () => {
    flagged("add", [], { all: true });
    expect(model.unreads.count).toBe(0);
  });

  test("another flag does not count as reading", () => {
    flagged("add", [1], { flag: "starred" });
    expect(model.unreads.has(1)).toBe(true);
    expect([...model.starred.ids]).toEqual([1]);
  });

  test("can be undone, using the event's details about unknown messages", () => {
    const message_details = {
      "50": { type: "stream", stream_id: GENERAL, topic: "lunch", mentioned: true },
      "51": { type: "private", user_ids: [13, 11] },
      "52": { type: "private", user_ids: [] },
    };
    flagged("remove", [50, 51, 52], { message_details });
    expect([...model.unreads.inTopic(GENERAL, "lunch")]).toEqual([1, 2, 50]);
    expect([...model.unreads.inConversation([11, 13])]).toEqual([4, 51]);
    expect([...model.unreads.inConversation([ME])]).toEqual([52]);
    expect([...model.unreads.mentions]).toEqual([2, 50]);
  });
});

test("messages of a muted channel are unread but not counted", () => {
  hear({ type: "subscription", op: "update", stream_id: GENERAL, property: "is_muted", value: true });
  expect(model.unreads.count).toBe(2);
  expect(model.unreads.has(1)).toBe(true);
});

test.each([
  [
    "one leaves",
    { type: "subscription", op: "remove", subscriptions: [{ stream_id: GENERAL, name: "general" }] },
  ],
  ["is gone", { type: "stream", op: "delete", stream_ids: [GENERAL], streams: [{ stream_id: GENERAL }] }],
])("nothing is unread in a channel that %s", (_, event) => {
  hear(event);
  expect(model.unreads.count).toBe(2);
  expect([...model.unreads.mentions]).toEqual([]);
});
