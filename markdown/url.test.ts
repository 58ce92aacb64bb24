import { describe, expect, test } from "vitest";
import { castLookups } from "./cases/cast.ts";
import { relativeToOrganization, safeUrl, uploadPathOf } from "./url.ts";

describe("an address", () => {
  test.each([
    ["https://example.com/a?b#c", "https://example.com/a?b#c"],
    ["HTTPS://example.com", "https://example.com"],
    ["example.com/a", "http://example.com/a"],
    ["//example.com", "http://example.com"],
    ["https://example.com/a b", "https://example.com/a%20b"],
    ["https://example.com/?", "https://example.com/"],
    ["me@example.com", "mailto:me@example.com"],
    ["/help/me@home", "/help/me@home"],
    ["#narrow/is/starred", "#narrow/is/starred"],
    ["tel:+123", "tel:+123"],
    ["ht\ttps://exa\x00mple.com/😀\n/a", "https://example.com/😀/a"],
    ["a b:c", "http://a%20b:c"],
    ["file:///tmp/a", "file:///tmp/a"],
  ])("%s may be linked as %s", (typed, href) => {
    expect(safeUrl(typed)).toBe(href);
  });

  test.each([
    "",
    "#",
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "\x01javascript:alert(1)",
    " data:text/html,x",
    "https:",
    "https:example.com",
    "http://[x",
    "news:a",
    "x:y",
    "?a",
  ])("%j may not", (typed) => {
    expect(safeUrl(typed)).toBeNull();
  });

  test("of the organization becomes relative only when that leads to the same page", () => {
    const relative = (path: string): string =>
      relativeToOrganization(`https://chat.example.com/${path}`, castLookups());
    expect(relative("#narrow/is/starred")).toBe("#narrow/is/starred");
    expect(relative("user_uploads/2/a.png")).toBe("user_uploads/2/a.png");
    const misleading = ["javascript:x", "javascript&colon;x", "&#106;avascript:x", "\\example.com"];
    for (const path of ["", "/a", "https://example.com", "../a", "a/./b", ...misleading]) {
      expect(relative(path)).toBe(`https://chat.example.com/${path}`);
    }
    expect(relativeToOrganization("https://chat.example.com.evil.example/a", castLookups())).toContain(
      "evil",
    );
    expect(relativeToOrganization("/a", castLookups({ baseUrl: "" }))).toBe("/a");
  });

  test("of an upload is recognized by its path, without a query or dot segments", () => {
    expect(uploadPathOf("/user_uploads/2/ab/cd/a.png?x=1#y")).toBe("2/ab/cd/a.png");
    expect(uploadPathOf("user_uploads/2/a.png")).toBe("2/a.png");
    for (const href of [
      "/user_uploads/thumbnail/2/a.png",
      "/user_uploads/2/../a.png",
      "/help/user_uploads/2/a",
    ]) {
      expect(uploadPathOf(href)).toBeUndefined();
    }
  });
});
