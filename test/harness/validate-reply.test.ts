import { expect, test } from "vitest";
import { deleteQueue, getEvents, registerQueue } from "../../api/integrations/real-time.ts";
import { validateEvent, validateReply } from "./validate-reply.ts";

const success = { result: "success", msg: "" };

test("a declared response passes, with and without a list of unsupported parameters", () => {
  validateReply(deleteQueue, success, 200);
  validateReply(deleteQueue, { ...success, ignored_parameters_unsupported: ["colour"] }, 200);
});

test("a field that the contract does not name is refused", () => {
  expect(() => validateReply(deleteQueue, { ...success, extra: 1 })).toThrow("extra is not declared");
});

test("an endpoint whose fields depend on the request may return more fields, but not fewer", () => {
  const snapshot = { ...success, ...registerQueue.example.reply, realm_users: [] };
  validateReply(registerQueue, snapshot);
  const { queue_id, ...withoutQueue } = snapshot;
  expect(() => validateReply(registerQueue, withoutQueue)).toThrow("queue_id missing");
});

test("a success is refused if its msg is missing or its status is not 200", () => {
  expect(() => validateReply(deleteQueue, { result: "success" })).toThrow("msg missing");
  expect(() => validateReply(deleteQueue, success, 201)).toThrow("status must be 200");
});

test("an error that the endpoint declares passes with exactly its fields", () => {
  const body = { result: "error", msg: "Bad event queue ID: x", code: "BAD_EVENT_QUEUE_ID", queue_id: "x" };
  validateReply(deleteQueue, body, 400);
  expect(() => validateReply(deleteQueue, { ...body, more: 1 }, 400)).toThrow("its fields are");
  expect(() => validateReply(deleteQueue, body, 404)).toThrow(
    "declares no error BAD_EVENT_QUEUE_ID with status 404",
  );
});

test("an error that any endpoint can return passes undeclared", () => {
  validateReply(deleteQueue, { result: "error", msg: "Invalid API key", code: "UNAUTHORIZED" }, 401);
});

test("an undeclared error is refused, and the message names the missing declaration", () => {
  const body = { result: "error", msg: "Invalid narrow operator: x", code: "BAD_NARROW", desc: "x" };
  expect(() => validateReply(deleteQueue, body, 400)).toThrow("add one of: badNarrow");
});

test("every event in a poll's response is checked", () => {
  const answer = { ...success, events: [{ id: 1, type: "heartbeat" }], queue_id: "x" };
  validateReply(getEvents, answer);
  answer.events.push({ id: 2, type: "nonsense" });
  expect(() => validateReply(getEvents, answer)).toThrow("event nonsense is not declared");
});

test("an event with an undeclared field is refused", () => {
  validateEvent({ id: 5, type: "heartbeat" });
  expect(() => validateEvent({ id: 5, type: "heartbeat", pulse: 60 })).toThrow("pulse is not declared");
  expect(() => validateEvent({ type: "heartbeat" })).toThrow("id missing");
});
