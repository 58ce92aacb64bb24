import { expect, test } from "vitest";
import { clientName, normalizeClientName } from "./client-name.ts";

test.each([
  ["ZulipPython/0.9.1 (Debian GNU/Linux; 12)", "zulippython"],
  ["ZulipHelloworldBot (linux)", "zuliphelloworldbot"],
  ["ZulipTerminal/0.7.0+git Linux-6.1", "zulipterminal"],
  ["Zulip Desktop App/5.11.1 (Linux)", "zulip desktop app"],
  ["Robot2 of Ada 7.1", "robot2 of ada"],
  ["Mozilla/5.0 (X11; Linux x86_64)", "website"],
  ["node-fetch/1.0", "node-fetch"],
  ["", "unspecified"],
  [undefined, "unspecified"],
  ["/", "unspecified"],
  ["\u00e9\u0001", "unspecified"],
  ["x".repeat(500), "x".repeat(30)],
])("%s is %s", (userAgent, expected) => {
  expect(clientName(userAgent)).toBe(expected);
  expect(clientName(userAgent)).toBe(expected);
});

test("a name in the `client` parameter keeps all its words", () => {
  expect(normalizeClientName(" My Robot ")).toBe("my robot");
});

test("the name comes from the first 256 characters of a header", () => {
  expect(clientName(`Robot/${"1".repeat(30_000)}`)).toBe("robot");
  expect(clientName(`${" ".repeat(300)}Robot`)).toBe("unspecified");
});
