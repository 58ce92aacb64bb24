import { expect, test } from "vitest";
import { checkReach } from "./demo.ts";

test("the demo listens on this machine only, unless a setting allows others", () => {
  for (const host of ["127.0.0.1", "127.0.0.53", "::1", "localhost"]) checkReach({ host }, undefined);
  for (const host of [
    "0.0.0.0",
    "::",
    "192.168.1.5",
    "chat.example.com",
    "127.evil.example",
    "127.0.0.1.x",
  ]) {
    expect(() => checkReach({ host }, undefined)).toThrow("PARLEY_DEV_OPEN=yes");
    expect(() => checkReach({ host }, "1")).toThrow("PARLEY_DEV_OPEN=yes");
    checkReach({ host }, "yes");
  }
});
