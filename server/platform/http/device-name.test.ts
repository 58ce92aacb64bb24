import { expect, test } from "vitest";
import { deviceName } from "./device-name.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1";

test.each([
  [FIREFOX, "Firefox on Linux"],
  [SAFARI, "Safari on iOS"],
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
    "Edge on Windows",
  ],
  ["ZulipMobile/27.0 (Android 14)", "ZulipMobile on Android"],
  ["Mozilla/5.0", "A browser"],
  ["\r\n<b>", "An unknown program"],
  [undefined, "An unknown program"],
])("%j is %s", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
