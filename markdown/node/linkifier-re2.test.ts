import { describe, expect, test } from "vitest";
import { linkWork } from "../linkifier.ts";
import { compileLinkifier, LinkifierError } from "./linkifier-re2.ts";

const faultOf = (pattern: string, template: string): unknown => {
  try {
    compileLinkifier(pattern, template);
  } catch (error) {
    if (error instanceof LinkifierError) return [error.fault, error.variable];
    throw error;
  }
  return null;
};

describe("an organization's pattern", () => {
  test("is found after a space, the start or an opening mark, not inside a word", () => {
    const linkifier = compileLinkifier("#(?P<id>[0-9]+)", "https://t.example/{id}");
    expect(linkifier.find("see #12", 0, linkWork())).toEqual({
      start: 4,
      end: 7,
      url: "https://t.example/12",
    });
    expect(linkifier.find("(#1)", 0, linkWork())).toMatchObject({ start: 1, end: 3 });
    expect(linkifier.find("x#12", 0, linkWork())).toBeNull();
    expect(linkifier.find("#12a", 0, linkWork())).toBeNull();
    expect(linkifier.find("#12 #13", 3, linkWork())).toMatchObject({ start: 4, end: 7 });
  });

  test("places are counted in UTF-16 units, also after characters of two units", () => {
    const linkifier = compileLinkifier("#[0-9]+", "https://t.example/");
    expect(linkifier.find("😀 #12", 0, linkWork())).toMatchObject({ start: 3, end: 6 });
  });

  test("values are percent-encoded into the address", () => {
    const linkifier = compileLinkifier("w/(?P<page>[^ ]+)", "https://w.example/{page}?q={+page}");
    expect(linkifier.find("w/a/b&c", 0, linkWork())?.url).toBe("https://w.example/a%2Fb%26c?q=a/b&c");
  });

  test("an optional group that matched nothing is left out of the address", () => {
    const linkifier = compileLinkifier("T(?P<a>x)?(?P<b>[0-9])", "https://t.example/{b}{?a}");
    expect(linkifier.find("T1", 0, linkWork())?.url).toBe("https://t.example/1");
    expect(linkifier.find("Tx1", 0, linkWork())?.url).toBe("https://t.example/1?a=x");
  });

  test.each([
    ["(", "https://t.example/", ["bad-pattern", undefined]],
    ["(?=a)b", "https://t.example/", ["bad-pattern", undefined]],
    ["a(?P<id>b)", "https://t.example/", ["missing-in-template", "id"]],
    ["a", "https://t.example/{id}", ["missing-in-pattern", "id"]],
    ["a(?P<id>b)", "https://t.example/{id", ["bad-template", undefined]],
    [`a{1,${"9".repeat(3)}}`.repeat(20), "https://t.example/", ["pattern-too-large", undefined]],
    ["a".repeat(501), "https://t.example/", ["pattern-too-large", undefined]],
    ["a(?P<id>b)", "https://t.example/{id}", null],
  ])("%j with %j is judged", (pattern, template, fault) => {
    expect(faultOf(pattern, template)).toEqual(fault);
  });

  test("uses no more work than it is given, and the same amount for the same text", () => {
    const costs = [0, 0].map(() => {
      const work = linkWork();
      const linkifier = compileLinkifier(`a(${"a* *".repeat(90)}[yz])?`, "https://t.example/");
      for (let hit = linkifier.find("a ".repeat(50), 0, work); hit; )
        hit = linkifier.find("a ".repeat(50), hit.end, work);
      return linkWork().left - work.left;
    });
    expect(costs[0]).toBeGreaterThan(100_000);
    expect(costs[1]).toBe(costs[0]);
  });

  test("finds nothing more once its work is spent, in the middle of a text or before it", () => {
    const linkifier = compileLinkifier("a(.*z)?", "https://t.example/");
    const work = { left: 10_000 };
    expect(linkifier.find("a ".repeat(5000), 0, work)).toBeNull();
    expect(work.left).toBeLessThanOrEqual(0);
    expect(linkifier.find("a", 0, work)).toBeNull();
    expect(linkifier.find("a", 0, linkWork())).not.toBeNull();
  });

  test("a pattern that would make a backtracking engine hang costs a part of the work", () => {
    const linkifier = compileLinkifier("(?P<w>(a|aa|a*)*)b", "https://t.example/{w}");
    const work = linkWork();
    expect(linkifier.find("a".repeat(5000), 0, work)).toBeNull();
    // It has looked at all of the text.
    expect(work.left).toBeGreaterThan(0);
  });
});
