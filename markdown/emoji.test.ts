import { expect, test } from "vitest";
import { emojiCodeByName, emojiCodeOf, emojiNameByCode, listUnicodeEmoji } from "./emoji.ts";

test("every name leads to its code, and every code to its canonical name", () => {
  let count = 0;
  for (const { code, names } of listUnicodeEmoji()) {
    expect(names.length).toBeGreaterThan(0);
    expect(code).toMatch(/^[0-9a-f]{4,5}(-[0-9a-f]{4,5})*$/);
    expect(emojiNameByCode(code)).toBe(names[0]);
    for (const name of names) expect(emojiCodeByName(name)).toBe(code);
    count++;
  }
  expect(count).toBe(1847);
});

test("emoji come by category, in the order of Unicode's charts", () => {
  const all = [...listUnicodeEmoji()];
  expect([...new Set(all.map(({ category }) => category))]).toEqual([
    ...["smileys", "people", "nature", "food", "places", "activities", "objects", "symbols", "flags"],
  ]);
  expect(all[0]).toEqual({ category: "smileys", code: "1f600", names: expect.arrayContaining(["grinning"]) });
  expect(all.find(({ code }) => code === "1f44d")?.category).toBe("people");
  expect(emojiCodeByName("smileys")).toBeUndefined();
});

test("the code of typed characters leaves variation selectors out", () => {
  expect(emojiCodeOf("❤️")).toBe("2764");
  expect(emojiCodeOf("1️⃣")).toBe("0031-20e3");
  expect(emojiCodeOf("🇩🇪")).toBe("1f1e9-1f1ea");
});
