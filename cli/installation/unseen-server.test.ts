import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockDataDirectory } from "../../server/platform/postgres/lock.ts";
import { findRunning } from "./installation.ts";

/** A data directory whose server says that its database has a socket there. */
async function served(socketDir: string): Promise<string> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-unseen-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const lock = await lockDataDirectory(dataDir, { isServer: true });
  onTestFinished(() => lock.release());
  mkdirSync(path.join(dataDir, "postgres"));
  const lines = [
    process.pid,
    path.join(dataDir, "postgres"),
    1_795_994_853,
    5432,
    socketDir,
    "",
    "1 2",
    "ready",
  ];
  writeFileSync(path.join(dataDir, "postgres", "postmaster.pid"), `${lines.join("\n")}   \n`);
  return dataDir;
}

test("a server with a /tmp of its own is told from one without a database", { timeout: 20_000 }, async () => {
  const dataDir = await served("/tmp/parley-of-a-unit/pg");
  await expect(findRunning(dataDir)).rejects.toMatchObject({
    fault: "server-unseen",
    message: expect.stringMatching(
      /socket of its database in \/tmp\/parley-of-a-unit\/pg can't be seen .*PrivateTmp/,
    ),
  });
});
