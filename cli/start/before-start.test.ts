import { expect, test } from "vitest";
import { serve } from "../commands/serve.ts";
import { checkReach } from "./before-start.ts";

test("a development server listens on this machine only, unless a setting allows others", () => {
  for (const host of ["127.0.0.1", "127.0.0.53", "::1", "localhost"])
    checkReach({ host, isDevelopment: true }, undefined);
  for (const host of [
    "0.0.0.0",
    "::",
    "192.168.1.5",
    "chat.example.com",
    "127.evil.example",
    "127.0.0.1.x",
  ]) {
    expect(() => checkReach({ host, isDevelopment: true }, undefined)).toThrow("PARLEY_DEV_OPEN=yes");
    expect(() => checkReach({ host, isDevelopment: true }, "1")).toThrow("PARLEY_DEV_OPEN=yes");
    checkReach({ host, isDevelopment: true }, "yes");
  }
});

test("a production server listens where it is told", () => {
  checkReach({ host: "0.0.0.0", isDevelopment: false }, undefined);
});

test("serve in development asks as the demo does, before anything is started", async () => {
  const environment = { PARLEY_ENV: "development", PARLEY_HOST: "0.0.0.0" };
  const start = serve.run({ values: {}, words: [], environment });
  await expect(start).rejects.toThrow("PARLEY_DEV_OPEN=yes");
});
