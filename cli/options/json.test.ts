import { expect, test } from "vitest";
import { jsonLine } from "./json.ts";

test("no character that a terminal obeys is printed as it is", () => {
  const text = "a\u001b[31m\u009b31m\u202e\u2028é";
  const line = jsonLine({ text });
  expect(line).toBe('{"text":"a\\u001b[31m\\u009b31m\\u202e\\u2028é"}');
  expect(JSON.parse(line)).toEqual({ text });
});
