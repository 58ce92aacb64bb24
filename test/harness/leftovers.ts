// Runs around every test file. Files share a process and its modules. A file that leaves the clock, the
// environment or the working directory changed would affect other files. A server that is given no
// directories writes to the checkout, and the next start there finds files of nobody.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, vi } from "vitest";

const DATA = path.resolve(import.meta.dirname, "../../data");

const before = processState();
const filesBefore = filesInData();

afterAll(() => {
  vi.restoreAllMocks();
  vi.resetConfig();
  const isClockFake = vi.isFakeTimers();
  if (isClockFake) vi.useRealTimers();
  expect(isClockFake, "the clock is fake: call vi.useRealTimers() in afterEach or afterAll").toBe(false);
  expect(processState(), "a test file leaves the process as it found it").toEqual(before);
  // Files of the other worker's test may be among them: then two test files fail, and one is at fault.
  expect(filesInData(), "a test file writes nothing to the checkout's data directory").toEqual(filesBefore);
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

/** The names there, and those of what was uploaded. A database changes its files at any time. */
function filesInData(): string[] {
  return ["", "files"].flatMap((folder) => {
    const at = path.join(DATA, folder);
    return existsSync(at) ? readdirSync(at).map((name) => path.join(folder, name)) : [];
  });
}
