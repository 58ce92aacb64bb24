import { expect, test } from "vitest";
import type { BackupRecord } from "../backup/backup-record.ts";
import { judgeBackups } from "./backup-part.ts";

const NOW = new Date("2026-11-28T08:30:00Z");
const DAILY = [180];
const record: BackupRecord = { target: "/mnt/backup", since: "2026-11-27T08:30:00.000Z", failures: 0 };
const failure = { at: "2026-11-28T03:00:00.000Z", sentence: "/mnt/backup is on a read-only file system." };
const newest = (finishedAt: string) => ({ id: finishedAt, startedAt: finishedAt, finishedAt, bytes: 1 });

test("backups that are made are well, and so are those that were not due yet", () => {
  expect(judgeBackups(undefined, NOW, DAILY)).toMatchObject({ level: "ok" });
  expect(judgeBackups(record, NOW, DAILY)).toMatchObject({ level: "ok" });
  expect(judgeBackups({ ...record, newest: newest("2026-11-27T03:00:00.000Z") }, NOW, DAILY)).toEqual({
    level: "ok",
    code: "ok",
    sentence: "The last backup is of 2026-11-27T03:00:00.000Z.",
  });
});

test("one that failed is a warning with its reason, and one that is older than two periods is another", () => {
  const failed = { ...record, failures: 1, failure };
  expect(judgeBackups({ ...failed, newest: newest("2026-11-27T03:00:00.000Z") }, NOW, DAILY)).toEqual({
    level: "warning",
    code: "backup-failed",
    sentence: "The last backup failed: /mnt/backup is on a read-only file system.",
  });
  const old = { ...failed, newest: newest("2026-11-26T08:00:00.000Z") };
  expect(judgeBackups(old, NOW, DAILY)).toEqual({
    level: "warning",
    code: "backup-old",
    sentence:
      "The last backup is of 2026-11-26T08:00:00.000Z, 2 days ago: /mnt/backup is on a read-only file system.",
  });
  // With one every twelve hours it would have been old a day earlier.
  expect(judgeBackups({ ...old, newest: newest("2026-11-27T08:00:00.000Z") }, NOW, [180, 900])).toMatchObject(
    {
      code: "backup-old",
    },
  );
});

test("a server that has never made one says since when", () => {
  expect(judgeBackups({ ...record, since: "2026-11-25T08:30:00.000Z" }, NOW, DAILY)).toEqual({
    level: "warning",
    code: "backup-old",
    sentence: "No backup has succeeded for 3 days. Make one with parley backup.",
  });
});
