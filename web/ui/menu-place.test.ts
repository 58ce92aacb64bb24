import { expect, test } from "vitest";
import { sideFor } from "./menu-place.ts";

const room = { from: 0, to: 700 };

test("a menu stands below its message, or above where there is more room", () => {
  expect(sideFor({ ...room, top: 100, bottom: 140 }, 400)).toEqual({ y: 144, maxHeight: 548 });
  expect(sideFor({ ...room, top: 560, bottom: 600 }, 400)).toEqual({ y: 156, maxHeight: 548 });
});

test("a menu that fits nowhere is as high as the larger side", () => {
  expect(sideFor({ ...room, top: 300, bottom: 340 }, 450)).toEqual({ y: 344, maxHeight: 348 });
  expect(sideFor({ ...room, top: 400, bottom: 440 }, 450)).toEqual({ y: 8, maxHeight: 388 });
});

test("a message that fills the screen leaves no room", () => {
  expect(sideFor({ ...room, top: -50, bottom: 690 }, 450)).toBeUndefined();
});
