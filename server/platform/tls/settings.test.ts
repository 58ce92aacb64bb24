import { expect, test } from "vitest";
import { LETS_ENCRYPT, parseTls } from "./settings.ts";

test.each([
  ["file:/a/chat.crt,/a/chat.key", { kind: "file", certificate: "/a/chat.crt", key: "/a/chat.key" }],
  ["acme:ops@example.com", { kind: "acme", mail: "ops@example.com", directory: LETS_ENCRYPT }],
  [
    "acme:ops@example.com,https://ca.test/dir",
    { kind: "acme", mail: "ops@example.com", directory: "https://ca.test/dir" },
  ],
])("%s is a setting", (text, settings) => {
  expect(parseTls(text)).toEqual(settings);
});

test.each(["on", "file:/a/chat.crt", "acme:", "acme:nobody", "acme:ops@example.com,http://ca.test/dir"])(
  "%s is none",
  (text) => {
    expect(() => parseTls(text)).toThrow("Write file:CERTIFICATE,KEY with two files, or acme:MAIL");
  },
);
