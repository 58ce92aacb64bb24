import { expect, test } from "vitest";
import { faults } from "../server/platform/faults/catalogue.ts";
import { faultHelp, isFaultNumber } from "./fault-help.ts";

test("the number of a fault is asked for in capitals or not, and a command is none", () => {
  expect(["P216", "p216", "P999"].map(isFaultNumber)).toEqual([true, true, true]);
  expect(["", "backup", "p", "216"].map(isFaultNumber)).toEqual([false, false, false, false]);
});

test("a fault is told with its exit code, what it is and what to do", () => {
  expect(faultHelp("p216")).toMatch(
    /^P216 {2}disk-full, exit code 74\n\nWhat it is: A disk has no room left\.[\s\S]*\n\nWhat to do: df -h /,
  );
  expect(faultHelp("P999")).toBeUndefined();
});

test("no line is wide, and no mark of Markdown is left", () => {
  for (const { number } of Object.values(faults)) {
    const text = faultHelp(number) as string;
    expect(text).not.toMatch(/`|\]\(/);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  }
});
