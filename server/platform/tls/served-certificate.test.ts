import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import path from "node:path";
import acme from "acme-client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ServedCertificate } from "./served-certificate.ts";

const HOST = "chat.example.com";

let dir: string;
let files: { certificate: string; key: string };
const log = { info: vi.fn<(sentence: string) => void>(), error: vi.fn<(sentence: string) => void>() };

beforeEach(async () => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "parley-certificate-"));
  files = { certificate: path.join(dir, "chat.crt"), key: path.join(dir, "chat.key") };
  vi.clearAllMocks();
  await writePair();
});
afterEach(() => {
  fs.rmSync(dir, { recursive: true });
});

/** The library makes certificates that sign themselves for one kind of challenge. */
async function writePair(): Promise<void> {
  const identifier = { identifier: { type: "dns", value: HOST } } as acme.Authorization;
  const [key, certificate] = await acme.crypto.createAlpnCertificate(identifier, "answer");
  fs.writeFileSync(files.key, key);
  fs.writeFileSync(files.certificate, certificate);
}

/** As for a user without the right to read. Root, who runs some tests, may read all. */
function closeFiles(): () => void {
  const read = vi.spyOn(fs, "readFileSync").mockImplementation(() => {
    throw Object.assign(new Error("closed"), { code: "EACCES" });
  });
  syncBuiltinESMExports();
  return () => {
    read.mockRestore();
    syncBuiltinESMExports();
  };
}

test("a certificate is served on when nothing can be seen in its place any more", () => {
  const served = new ServedCertificate(files, HOST, log);
  const { current } = served;
  expect(current?.fitsHost).toBe(true);
  // As a directory that is closed, this is an error of the system other than that nothing is there.
  fs.rmSync(files.key);
  fs.symlinkSync(files.key, files.key);
  served.look();
  served.look();
  expect(served.current).toBe(current);
  expect(log.error.mock.calls).toEqual([[expect.stringMatching(/^This user can't read .*chat\.key/)]]);
});

test("a new one that may be read only later is served from then on", async () => {
  const served = new ServedCertificate(files, HOST, log);
  const before = served.current;
  await writePair();
  const open = closeFiles();
  served.look();
  expect([served.current, served.fault]).toEqual([before, expect.stringMatching(/^This user can't read/)]);
  open();
  const { ctimeMs } = fs.statSync(files.key);
  await vi.waitUntil(() => {
    fs.chmodSync(files.key, 0o640);
    return fs.statSync(files.key).ctimeMs !== ctimeMs;
  });
  served.look();
  expect(served.current?.chain).toBe(fs.readFileSync(files.certificate, "utf8"));
  expect(served.fault).toBeUndefined();
  expect(log.info).toHaveBeenCalledTimes(1);
});

test("other rights of the same files are no other certificate", async () => {
  const served = new ServedCertificate(files, HOST, log);
  const onChange = vi.fn();
  served.onChange(onChange);
  const { ctimeMs } = fs.statSync(files.key);
  await vi.waitUntil(() => {
    fs.chmodSync(files.key, 0o640);
    return fs.statSync(files.key).ctimeMs !== ctimeMs;
  });
  served.look();
  expect([onChange.mock.calls, log.info.mock.calls]).toEqual([[], []]);
});
