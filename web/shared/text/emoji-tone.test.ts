import { expect, test } from "vitest";
import { withTone } from "./emoji-tone.ts";

const toned = (code: string) => withTone({ code, type: "unicode_emoji" }, "1f3fd");

test("a person, and a part of one, take the tone behind their own character", () => {
  expect(toned("1f44d")).toBe("1f44d-1f3fd");
  expect(toned("1f469-200d-1f4bb")).toBe("1f469-1f3fd-200d-1f4bb");
});

test("what has no skin, several people and the organization's own emoji stay as they are", () => {
  expect(toned("1f389")).toBe("1f389");
  expect(toned("1f46a")).toBe("1f46a");
  expect(toned("1f468-200d-1f469-200d-1f467")).toBe("1f468-200d-1f469-200d-1f467");
  expect(withTone({ code: "44", type: "realm_emoji" }, "1f3fd")).toBe("44");
  expect(withTone({ code: "1f44d", type: "unicode_emoji" }, "")).toBe("1f44d");
});
