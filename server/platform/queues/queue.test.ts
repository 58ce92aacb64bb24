import { describe, expect, test } from "vitest";
import type { Position, UserId } from "../../../api/ids.ts";
import { makeQueue } from "../../../test/harness/queue.ts";
import type { Delivery } from "../log/log-entry.ts";
import { MAX_PENDING, MAX_PENDING_CHARS, type Queue } from "./queue.ts";

function open(): Queue {
  return makeQueue("00000000-0000-4000-8000-000000000000", 1 as UserId);
}

const delivery = (position: number, length = 10): Delivery => ({
  position: position as Position,
  json: "x".repeat(length),
});

describe("a client that has stopped polling", () => {
  test("costs a bounded number of pointers, and then none", () => {
    const queue = open();
    for (let position = 1; position <= MAX_PENDING; position++) queue.push(delivery(position));
    expect([queue.pending.length, queue.isCold]).toEqual([MAX_PENDING, false]);
    queue.push(delivery(MAX_PENDING + 1));
    expect([queue.pending.length, queue.isCold]).toEqual([0, true]);
    queue.push(delivery(MAX_PENDING + 2));
    expect(queue.pending).toEqual([]);
  });

  test("keeps a bounded amount of text, and then none", () => {
    const queue = open();
    const quarter = MAX_PENDING_CHARS / 4;
    for (let position = 1; position <= 4; position++) queue.push(delivery(position, quarter));
    expect([queue.pending.length, queue.isCold]).toEqual([4, false]);
    queue.push(delivery(5, 1));
    expect([queue.pending.length, queue.isCold]).toEqual([0, true]);
  });
});

test("a client that acknowledges what it got can go on forever", () => {
  const queue = open();
  const half = MAX_PENDING_CHARS / 2;
  for (let position = 1; position <= 100; position++) {
    queue.push(delivery(position, half));
    if (position > 1) queue.acknowledge((position - 1) as Position);
  }
  expect([queue.pending.length, queue.isCold]).toEqual([1, false]);
});

test("one event of any length gets through", () => {
  const queue = open();
  queue.push(delivery(1, 2 * MAX_PENDING_CHARS));
  expect([queue.pending.length, queue.isCold]).toEqual([1, false]);
});
