// Runs around every test file. Files share a process and its modules. A file that leaves the clock, the
// environment or the working directory changed would affect other files.
import { afterAll, expect, vi } from "vitest";

const before = processState();

afterAll(() => {
  vi.restoreAllMocks();
  vi.resetConfig();
  const isClockFake = vi.isFakeTimers();
  if (isClockFake) vi.useRealTimers();
  expect(isClockFake, "the clock is fake: call vi.useRealTimers() in afterEach or afterAll").toBe(false);
  expect(processState(), "a test file leaves the process as it found it").toEqual(before);
});

function processState() {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  // The library of pictures sets it when it is loaded.
  const { VIPSHOME, ...environment } = process.env;
  return {
    directory: process.cwd(),
    environment,
    listeners: signals.map((signal) => `${signal}: ${process.listenerCount(signal)}`),
  };
}
