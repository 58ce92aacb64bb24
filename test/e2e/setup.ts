/** Before the first and after the last test of a run: the directory of what `usedDirectory` copies. */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    usedDirectories: string;
  }
}

export function setup(project: TestProject): () => void {
  const dir = mkdtempSync(path.join(realpathSync(os.tmpdir()), "parley-used-"));
  // PostgreSQL's user passes it when we are root.
  chmodSync(dir, 0o711);
  project.provide("usedDirectories", dir);
  return () => rmSync(dir, { recursive: true, force: true });
}
