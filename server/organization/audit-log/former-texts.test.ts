import { describe, expect, test } from "vitest";
import { neutralizer } from "./former-texts.ts";

const NEUTRAL = "Deleted user 7";
const neutralized = (text: string, ...former: string[]) => neutralizer(former, NEUTRAL)(text);

describe("a name in an entry of the audit log", () => {
  test("is replaced as a whole, in any case, and what is beside it stays", () => {
    expect(neutralized("Max Mori", "Max Mori")).toBe(NEUTRAL);
    expect(neutralized("Notes of max mori, and MAX MORI's", "Max Mori")).toBe(
      `Notes of ${NEUTRAL}, and ${NEUTRAL}'s`,
    );
    expect(neutralized("Günther (c.*)!", "Günther (c.*)")).toBe(`${NEUTRAL}!`);
    expect(neutralized("a $& b", "$&abc")).toBe("a $& b");
  });

  test("stays where it is a part of another one", () => {
    for (const text of ["Maximilian", "Jean-Maxi", "maxi@mailbox.test", "maxi.org", "Ömaxi", "Maxi2"])
      expect([text, neutralized(text, "Maxi")]).toEqual([text, text]);
  });

  test("of few letters is replaced only if there is nothing beside it", () => {
    expect(neutralized("in", "In")).toBe(NEUTRAL);
    expect(neutralized("in the garden", "in")).toBe("in the garden");
    expect(neutralized("ada@mailbox.com", "com")).toBe("ada@mailbox.com");
  });
});

test("an address is replaced in the middle of a text, and not in a longer address", () => {
  const address = "jo@mail.test";
  expect(neutralized("Asked <jo@mail.test>, Jo@Mail.test.", address)).toBe(`Asked <${NEUTRAL}>, ${NEUTRAL}.`);
  for (const text of ["mo.jo@mail.test", "mojo@mail.test", "jo@mail.test.org", "jo@mail.test-lab.org"])
    expect([text, neutralized(text, address)]).toEqual([text, text]);
});

test("an address with the name in it goes as one piece", () => {
  expect(neutralized("maxi@mailbox.test", "Maxi", "maxi@mailbox.test")).toBe(NEUTRAL);
});
