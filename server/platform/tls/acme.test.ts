import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import acme from "acme-client";
import { afterEach, expect, test, vi } from "vitest";
import { AcmeRenewal } from "./acme.ts";
import { certificateFilesIn } from "./certificate-files.ts";
import { ServedCertificate } from "./served-certificate.ts";
import { LETS_ENCRYPT } from "./settings.ts";

const HOST = "chat.example.com";
const MONTH_MS = 30 * 24 * 3600_000;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a certificate that is over by this machine's clock is not ordered again at once", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-acme-"));
  // The library makes certificates that sign themselves for one kind of challenge. They end at once.
  const identifier = { identifier: { type: "dns", value: HOST } } as acme.Authorization;
  const [key, certificate] = await acme.crypto.createAlpnCertificate(identifier, "answer");
  vi.spyOn(acme.crypto, "createCsr").mockResolvedValue([key, Buffer.from("request")]);
  const auto = vi.spyOn(acme.Client.prototype, "auto").mockResolvedValue(certificate.toString());
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const settings = { kind: "acme", mail: "ops@example.com", directory: LETS_ENCRYPT } as const;
  vi.useFakeTimers({ now: Date.now() + MONTH_MS, toFake: ["Date", "setTimeout", "clearTimeout"] });
  const served = new ServedCertificate(certificateFilesIn(dataDir, HOST), HOST, log);
  const renewal = new AcmeRenewal({ settings, dataDir, host: HOST, served, tokens: new Map(), log });
  try {
    renewal.start();
    for (const [count, minutes] of [
      [1, 15],
      [2, 30],
    ] as const) {
      await expect.poll(() => log.warn.mock.calls.length).toBe(count);
      expect(log.warn.mock.lastCall?.[0]).toMatch(
        /holds until \S+Z, so look at the clock\..* in \d\d minutes/,
      );
      await vi.advanceTimersByTimeAsync(minutes * 60_000 - 1000);
      expect(auto).toHaveBeenCalledTimes(count);
      await vi.advanceTimersByTimeAsync(1000);
    }
  } finally {
    renewal.stop();
    rmSync(dataDir, { recursive: true });
  }
});
