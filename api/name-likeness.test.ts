import { expect, test } from "vitest";
import { Random } from "../test/harness/random.ts";
import { foldName } from "./fold-name.ts";
import { likenessOf } from "./name-likeness.ts";

test.each([
  ["Olga Owner", "Olga  Owner"],
  ["Olga Owner", " olga\u00a0OWNER "],
  ["Olga Owner", "Olga\u200b \u202eOwner\u3164"],
  ["general", "ｇｅｎｅｒａｌ"],
  ["general", "𝓰𝓮𝓷𝓮𝓻𝓪𝓵"],
  ["file", "ﬁle"],
  ["a\u0301", "á\ufe0f"],
  ["Straße", "STRASSE"],
  ["❤", "❤\ufe0f"],
])("%j and %j are alike", (one, other) => {
  expect(likenessOf(one)).toBe(likenessOf(other));
});

test.each([
  ["Olga Owner", "OlgaOwner"],
  ["cafe", "café"],
  ["东京", "東京"],
  ["а", "a"],
])("%j and %j are not alike", (one, other) => {
  expect(likenessOf(one)).not.toBe(likenessOf(other));
});

test("names of one thing are alike, and a likeness is like itself", () => {
  const random = new Random(29);
  const points = [
    0x20, 0x41, 0x130, 0x131, 0x307, 0x3c2, 0xdf, 0x1e9e, 0x200b, 0x200d, 0xfe0f, 0x3164, 0xff21,
  ];
  const character = () =>
    String.fromCodePoint(random.next() < 0.5 ? random.pick(points) : random.upTo(0xd800));
  for (let n = 0; n < 20_000; n++) {
    const name = Array.from({ length: 1 + random.upTo(6) }, character).join("");
    const likeness = likenessOf(name);
    expect(likenessOf(likeness), JSON.stringify(name)).toBe(likeness);
    expect(likenessOf(foldName(name)), JSON.stringify(name)).toBe(likeness);
  }
});
