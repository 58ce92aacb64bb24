import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import acme from "acme-client";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { checkAddress, explainUnwritable } from "./checks.ts";

function makeDirectory(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), "parley-address-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function portOf(server: net.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

test("a server with a bad certificate answers, and nobody is told to kill it", async () => {
  const dir = makeDirectory();
  const identifier = { identifier: { type: "dns", value: "other.test" } } as acme.Authorization;
  const [key, cert] = await acme.crypto.createAlpnCertificate(identifier, "answer");
  const files = [path.join(dir, "other.crt"), path.join(dir, "other.key")] as const;
  writeFileSync(files[0], cert);
  writeFileSync(files[1], key);
  const server = https.createServer(
    { cert, key },
    (_request, response) => void response.end('{"status":"ok"}'),
  );
  const finding = await checkAddress(
    readConfig({
      PARLEY_DATA_DIR: dir,
      PARLEY_PORT: await portOf(server),
      // No name server knows it.
      PARLEY_PUBLIC_URL: "https://chat.invalid",
      PARLEY_TLS: `file:${files.join(",")}`,
    }),
  );
  expect(finding).toMatchObject({ hasPassed: true, text: expect.stringContaining("A server answers") });
});

test("a port of another program is named as such", async () => {
  const silent = net.createServer((socket) => void socket.end("220 mail\r\n"));
  const port = await portOf(silent);
  const finding = await checkAddress(readConfig({ PARLEY_DATA_DIR: makeDirectory(), PARLEY_PORT: port }));
  expect(finding).toMatchObject({ hasPassed: false, fault: "port-in-use" });
});

test.each([
  ["EROFS", "PARLEY_DATA_DIR", "data-unusable", "read-only file system", "Mount it"],
  ["EROFS", "PARLEY_FILES", "files-unwritable", "read-only file system", "Mount it"],
  ["EACCES", "PARLEY_DATA_DIR", "data-denied", "by this user", "Run this command as its owner"],
  ["EACCES", "PARLEY_FILES", "files-unwritable", "by this user", "Run this command as its owner"],
])("%s in %s has its own reason and way out", (code, setting, fault, text, advice) => {
  const finding = explainUnwritable(code, "The directory", "/srv/data", setting);
  expect(finding).toMatchObject({ fault, hasPassed: false });
  expect(finding.text).toContain(text);
  expect(finding.advice).toMatch(new RegExp(`^${advice}.*${setting}`));
});
