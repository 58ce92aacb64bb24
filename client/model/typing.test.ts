import { beforeEach, expect, test } from "vitest";
import { exampleMessage } from "../../api/messages/message.ts";
import type { QueuedEvent } from "../contract.ts";
import { Model } from "./model.ts";

const lunch = { kind: "channel", channelId: 12, topic: "lunch" } as const;
const dev = { user_id: 10, email: "dev@demo.test" };
const cleo = { user_id: 9, email: "cleo@demo.test" };

let now: number;
let model: Model;
const hear = (event: Record<string, unknown>) => model.handle({ id: 1, ...event } as QueuedEvent);
const inLunch = (op: "start" | "stop", topic = "lunch") =>
  hear({ type: "typing", op, message_type: "stream", sender: dev, stream_id: 12, topic });

beforeEach(() => {
  now = 1_000_000;
  model = Model.fromSnapshot(
    { server_typing_started_expiry_period_milliseconds: 30_000 },
    { now: () => now },
  );
});

test("a user who starts typing is shown until they stop", () => {
  inLunch("start", "Lunch");
  expect(model.typing.in(lunch)).toEqual([10]);
  inLunch("stop");
  expect(model.typing.in(lunch)).toEqual([]);
});

test("a user who sends no further notification is dropped after the server's time limit", () => {
  inLunch("start");
  now += 29_999;
  expect(model.typing.in(lunch)).toEqual([10]);
  expect(model.typing.nextExpiry).toBe(now + 1);
  now += 1;
  expect(model.typing.in(lunch)).toEqual([]);
  model.typing.expire();
  expect(model.typing.nextExpiry).toBeUndefined();
});

test("typing in a direct message belongs to the conversation of all its people", () => {
  hear({ type: "typing", op: "start", message_type: "direct", sender: dev, recipients: [dev, cleo] });
  expect(model.typing.in({ kind: "direct", userIds: [9, 10] })).toEqual([10]);
  expect(model.typing.in({ kind: "direct", userIds: [8, 9, 10] })).toEqual([]);
});

test("a user who sends the message is no longer typing", () => {
  inLunch("start");
  hear({ type: "message", message: { ...exampleMessage, sender_id: 10 }, flags: [] });
  expect(model.typing.in(lunch)).toEqual([]);
});
