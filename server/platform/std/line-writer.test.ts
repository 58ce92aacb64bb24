import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LineWriter } from "./line-writer.ts";

let written: string;
let room: number;
let code: string;
let calls: number;

beforeEach(() => {
  vi.useFakeTimers();
  written = "";
  room = Number.POSITIVE_INFINITY;
  code = "ENOSPC";
  calls = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

/** A writer to an output that has `room` for so many more bytes and then fails with `code`. */
function writer(maxKeptBytes = 100): LineWriter {
  return new LineWriter({
    maxKeptBytes,
    lossLine: (count, reason) => `${count} lost (${reason})\n`,
    write(bytes) {
      calls++;
      if (room === 0) throw Object.assign(new Error(code), { code });
      const part = bytes.subarray(0, room);
      room -= part.length;
      written += part.toString();
      return part.length;
    },
  });
}

test("a line is written at once, with one call", () => {
  writer().write("one\n");
  expect([written, calls]).toEqual(["one\n", 1]);
});

test.each(["ENOSPC", "EAGAIN", "EPIPE", "EIO"])(
  "%s is no error, and what is kept follows later",
  (reason) => {
    code = reason;
    room = 6;
    const lines = writer();
    for (const line of ["one\n", "two\n", "three\n"]) lines.write(line);
    expect(written).toBe("one\ntw");
    room = 100;
    vi.advanceTimersByTime(1000);
    expect(written).toBe("one\ntwo\nthree\n");
  },
);

test("what is kept has a limit, and the lines beyond it are counted in their place", () => {
  room = 0;
  const lines = writer(8);
  for (const line of ["one\n", "two\n", "three\n", "four\n"]) lines.write(line);
  room = 100;
  vi.advanceTimersByTime(1000);
  lines.write("five\n");
  expect(written).toBe("one\ntwo\n2 lost (ENOSPC)\nfive\n");
});

test("the count comes before the next line that is kept", () => {
  room = 0;
  const lines = writer(16);
  for (let count = 0; count < 10; count++) lines.write("0123456\n");
  room = 8;
  vi.advanceTimersByTime(1000);
  lines.write("later\n");
  room = 100;
  vi.advanceTimersByTime(1000);
  expect(written).toBe("0123456\n0123456\n8 lost (ENOSPC)\nlater\n");
});

test("a full disk costs one try in a second, not one for each line", () => {
  room = 0;
  const lines = writer(10_000);
  for (let count = 0; count < 100; count++) lines.write("line\n");
  expect(calls).toBe(1);
  vi.advanceTimersByTime(3000);
  expect(calls).toBe(4);
});
