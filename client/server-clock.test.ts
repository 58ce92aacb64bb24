import { expect, test } from "vitest";
import { ServerClock } from "./server-clock.ts";

const NOW = 1_800_000_000_000;

test("the time is the server's, whatever the device's clock says", () => {
  let local = NOW + 600_000;
  const clock = new ServerClock(() => local);
  expect(clock.now()).toBe(NOW + 600_000);
  clock.note(NOW);
  local += 5000;
  expect(clock.now()).toBe(NOW + 5000);
});

test("a clock that is set right is followed at the next answer", () => {
  let local = NOW + 600_000;
  const clock = new ServerClock(() => local);
  clock.note(NOW);
  local = NOW + 1000;
  clock.note(NOW + 1000);
  expect(clock.now()).toBe(NOW + 1000);
});

test("the whole seconds of answers, and answers without a time, change nothing", () => {
  const clock = new ServerClock(() => NOW + 900);
  clock.note(NOW);
  clock.note(Number.NaN);
  expect(clock.now()).toBe(NOW + 900);
});
