import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { notificationBotOf } from "../../people/notification-bot.ts";
import { type BackupRecord, writeBackupRecord } from "../../platform/backup/backup-record.ts";
import { markCopy } from "../../platform/backup/copy-mark.ts";
import { warnOfOldBackups } from "./backup-warnings.ts";

const HOUR_MS = 3600 * 1000;
let dataDir: string;
let harness: Harness;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-backup-warnings-"));
  harness = await createHarness({ PARLEY_DATA_DIR: dataDir, PARLEY_BACKUP: "/mnt/backup" });
});
afterAll(async () => {
  await harness.close();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(() => record(backupOf("fresh", 1)));

const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

function backupOf(id: string, hours: number): Partial<BackupRecord> {
  return { newest: { id, startedAt: hoursAgo(hours), finishedAt: hoursAgo(hours), bytes: 1 } };
}

function record(more: Partial<BackupRecord>): Promise<void> {
  return writeBackupRecord(dataDir, {
    target: "/mnt/backup",
    since: hoursAgo(100),
    failures: 3,
    failure: { at: hoursAgo(1), sentence: "/mnt/backup can't be written." },
    ...more,
  });
}

/** What the notification bot says to the person meanwhile. */
async function told(name: CastName): Promise<string[]> {
  const all = async (): Promise<string[]> => {
    const narrow = [{ operator: "dm", operand: [notificationBotOf(harness.state).id] }];
    const { body } = await harness
      .as(name)
      .get("/messages", { anchor: "newest", num_before: 100, num_after: 0, narrow, apply_markdown: false });
    return body.messages.map(({ content }: { content: string }) => content);
  };
  const before = (await all()).length;
  await warnOfOldBackups.run(
    harness.services,
    {},
    { signal: new AbortController().signal, dueAt: new Date() },
  );
  return (await all()).slice(before);
}

test("owners hear once of a backup that is older than two periods, and again after a good one", async () => {
  await record(backupOf("a", 47));
  expect(await told("ada")).toEqual([]);
  await record(backupOf("a", 49));
  const [message, ...more] = await told("ada");
  expect(message).toMatch(
    /^The last good backup of this server is from <time:.*Z>\. If its disk fails, everything after that is lost\. `parley doctor` on the server says why no backup is made\.$/,
  );
  expect(message).not.toContain("/mnt");
  expect(more).toEqual([]);
  expect(await told("ada")).toEqual([]);
  await record(backupOf("b", 1));
  expect(await told("ada")).toEqual([]);
  await record(backupOf("b", 49));
  expect(await told("ada")).toHaveLength(1);
});

test("owners hear of a server that has never made a backup, and nobody else does", async () => {
  await record({});
  expect(await told("dev")).toEqual([]);
  await record({ since: hoursAgo(101) });
  expect(await told("ada")).toEqual([expect.stringContaining("has made no good backup since <time:")]);
});

test("nobody is told in a copy of an installation", async () => {
  await record(backupOf("c", 49));
  markCopy(dataDir, "c");
  try {
    expect(await told("ada")).toEqual([]);
  } finally {
    rmSync(path.join(dataDir, "copy"));
  }
  expect(await told("ada")).toHaveLength(1);
});
