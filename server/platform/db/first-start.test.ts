import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { startS3Server } from "../../../test/harness/s3-server.ts";
import { S3Storage } from "../file-storage/s3-storage.ts";
import { checkFirstStart } from "./first-start.ts";

let dataDir: string;
let files: string;

beforeEach(() => {
  const dir = mkdtempSync(path.join(os.tmpdir(), "parley-first-start-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  [dataDir, files] = [path.join(dir, "data"), path.join(dir, "files")];
});

const config = (more = {}) => ({ dataDir, files, s3: undefined, isDevelopment: false, ...more });

function store(key: string): void {
  mkdirSync(path.join(files, path.dirname(key)), { recursive: true });
  writeFileSync(path.join(files, key), "");
}

const sentence = (place: string) =>
  `${place} has files of an installation, but ${dataDir} has no database. Restore the database into it from the same backup, or name an empty place in PARLEY_FILES for a new installation.`;

test("files elsewhere without a database are half a restore, and no first start", async () => {
  store("1/uploads/a.txt");
  await expect(checkFirstStart(config())).rejects.toThrow(sentence(files));
  await checkFirstStart(config({ isDevelopment: true }));
  // Where a disk is not mounted the directory is there, and empty.
  mkdirSync(path.join(dataDir, "postgres"), { recursive: true });
  await expect(checkFirstStart(config())).rejects.toThrow(sentence(files));
  writeFileSync(path.join(dataDir, "postgres", "PG_VERSION"), "18");
  await checkFirstStart(config());
});

test("a place that is missing, empty or has unfinished files alone is a first start", async () => {
  await checkFirstStart(config());
  mkdirSync(path.join(files, "1", "uploads"), { recursive: true });
  await checkFirstStart(config());
  store(".temporary/a");
  await checkFirstStart(config());
  await checkFirstStart(config({ files: undefined }));
});

test("files in a bucket count as well, and a bucket that is away does not", async () => {
  const server = await startS3Server();
  onTestFinished(() => server.close());
  const s3 = config({ files: undefined, s3: server.settings });
  await checkFirstStart(s3);
  const storage = new S3Storage(server.settings, path.join(dataDir, "temporary"));
  await storage.put("1/uploads/a.txt", { bytes: Buffer.from("a"), contentType: "text/plain" });
  await expect(checkFirstStart(s3)).rejects.toThrow(sentence("The bucket in PARLEY_FILES"));
  await checkFirstStart(config({ s3: { ...server.settings, bucket: "no-such-bucket" } }));
});
