import { expect, test } from "vitest";
import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { BusListener, QueueNotice } from "./bus.ts";
import { readHeads, readQueues, writeHeads, writeQueues } from "./notice.ts";

const here = 7 as OrganizationId;
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

function recordNotices() {
  const heard: unknown[] = [];
  const listener: BusListener = {
    head: (organizationId, head) => heard.push([organizationId, head]),
    queues: (organizationId, notices) => heard.push([organizationId, notices]),
    missed() {},
  };
  return { heard, listener };
}

test("heads reach other nodes, and are ignored by the node that sent them", () => {
  const { heard, listener } = recordNotices();
  const heads = Array.from(
    { length: 300 },
    (_, index) => [index + 1_000_000, 9_000_000_000_000_000 + index] as [OrganizationId, Position],
  );
  const texts = writeHeads(heads, crypto.randomUUID());
  for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThan(8000);
  for (const text of texts) readHeads(text, "b", listener);
  expect(heard).toEqual(heads);
  for (const text of writeHeads(heads, "b")) readHeads(text, "b", listener);
  expect(heard).toHaveLength(300);
});

test("notices about many queues are split into texts that fit into a NOTIFY of PostgreSQL", () => {
  const { heard, listener } = recordNotices();
  const notices: QueueNotice[] = Array.from({ length: 300 }, (_, index) => ({
    queueId: id(index),
    cursor: index % 2 ? null : (9_000_000_000_000_000 as Position),
  }));
  const texts = writeQueues(here, notices, crypto.randomUUID());
  for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThan(8000);
  for (const text of texts) readQueues(text, "b", listener);
  expect(heard.flatMap((each) => (each as [number, QueueNotice[]])[1])).toEqual(notices);
  expect(new Set(heard.map((each) => (each as [number])[0]))).toEqual(new Set([7]));
});

test.each(["", "x", "7:", "7:a:b", "7:b:nonsense", `7:b:${id(1)}=x`, "::"])(
  "a text that can't be parsed, such as '%s', is ignored",
  (text) => {
    const { heard, listener } = recordNotices();
    readHeads(text, "c", listener);
    readQueues(text, "c", listener);
    expect(heard.flatMap((each) => (each as [number, unknown[]])[1])).toEqual([]);
  },
);
