import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Position } from "../../../api/ids.ts";
import type { Body } from "../../platform/http/answer.ts";
import type { Delivery } from "../../platform/log/log-entry.ts";
import { AnswerBodies } from "./answer-body.ts";

let bodies: AnswerBodies;
beforeEach(() => {
  vi.useFakeTimers();
  bodies = new AnswerBodies();
});
afterEach(() => vi.useRealTimers());

function event(id: number, text = "天気 "): Delivery {
  return { position: id as Position, json: JSON.stringify({ type: "message", text, id }) };
}

const flood = (count: number) =>
  Array.from({ length: count }, (_, index) => event(index, "soup ".repeat(50)));

function read(body: Body): unknown {
  return JSON.parse(typeof body === "string" ? body : Buffer.concat(body).toString());
}

const answerOf = (deliveries: readonly Delivery[], queueId: string) => ({
  result: "success",
  msg: "",
  events: deliveries.map(({ json }) => JSON.parse(json)),
  queue_id: queueId,
});

test.each([0, 1, 2, 100])("an answer has its %d events in order, and its own queue", (count) => {
  const deliveries = flood(count);
  for (const queueId of ["one", "two"]) {
    expect(read(bodies.write(deliveries, queueId))).toEqual(answerOf(deliveries, queueId));
  }
});

test("letters outside of ASCII are written whole, in short and in long answers", () => {
  for (const deliveries of [[event(1)], Array.from({ length: 200 }, (_, id) => event(id))]) {
    expect(read(bodies.write(deliveries, "one"))).toEqual(answerOf(deliveries, "one"));
  }
});

test("listeners with the same long list of events share its bytes", () => {
  const deliveries = flood(100);
  const [one] = bodies.write(deliveries, "one");
  const [two] = bodies.write([...deliveries], "two");
  expect(two).toBe(one);
});

test("a list that differs in one event has bytes of its own", () => {
  const deliveries = flood(100);
  bodies.write(deliveries, "one");
  const other = deliveries.with(50, event(50, "seen by others"));
  expect(read(bodies.write(other, "two"))).toEqual(answerOf(other, "two"));
  const shorter = deliveries.slice(0, 99);
  expect(read(bodies.write(shorter, "three"))).toEqual(answerOf(shorter, "three"));
});

test("a queue that goes on to fill its list does not change what others get", () => {
  const pending = flood(100);
  bodies.write(pending, "one");
  pending.push(event(100));
  expect(read(bodies.write(pending, "one"))).toEqual(answerOf(pending, "one"));
  expect(read(bodies.write(pending.slice(0, 100), "two"))).toEqual(answerOf(pending.slice(0, 100), "two"));
});

test("a few lists are kept, for a second", () => {
  const lists = Array.from({ length: 9 }, () => flood(100));
  const [first] = bodies.write(lists[0] as Delivery[], "one");
  for (const list of lists.slice(1)) bodies.write(list, "one");
  expect(bodies.write(lists[0] as Delivery[], "two")[0]).not.toBe(first);
  const [last] = bodies.write(lists[8] as Delivery[], "one");
  vi.advanceTimersByTime(1001);
  expect(bodies.write(lists[8] as Delivery[], "one")[0]).not.toBe(last);
});
