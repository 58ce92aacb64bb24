import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DirectoryTarget } from "./directory-target.ts";
import { BackupError } from "./target.ts";

test.each([
  ["ENOSPC", Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" }), "disk-full"],
  ["EROFS", Object.assign(new Error("EROFS: read-only"), { code: "EROFS" }), "backup-target"],
  ["what was explained already", new BackupError("disk-full", "The disk of it is full."), "disk-full"],
])("%s in a target is told once", async (_name, error, fault) => {
  class FailingTarget extends DirectoryTarget {
    override write(): Promise<void> {
      return Promise.reject(error);
    }
  }
  const dir = mkdtempSync(path.join(os.tmpdir(), "parley-target-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const failure = await new FailingTarget(dir).prepare().catch((thrown: unknown) => thrown as BackupError);
  expect(failure).toMatchObject({ fault });
  expect(failure?.message).not.toMatch(/\.\.|can't be used/);
});
