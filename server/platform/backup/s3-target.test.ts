import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { BUCKET, type S3Server, startS3Server } from "../../../test/harness/s3-server.ts";
import type { S3Settings } from "../file-storage/s3-settings.ts";
import { claimTarget, listBackups } from "./manifest.ts";
import { openTarget } from "./open-target.ts";
import { S3Target } from "./s3-target.ts";
import { BackupError } from "./target.ts";

let server: S3Server;
let target: S3Target;
let count = 0;

beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.close());
beforeEach(() => {
  server.intercept = undefined;
  target = new S3Target(at(`backups-${++count}`));
});

const at = (prefix: string, more: Partial<S3Settings> = {}) => ({ ...server.settings, prefix, ...more });

async function names(folder: string, of = target): Promise<string[]> {
  const found: string[] = [];
  for await (const name of of.list(folder)) found.push(name);
  return found.sort();
}

test("what is written is read, listed and deleted, and what is missing is no error", async () => {
  await target.prepare();
  expect(await names("")).toEqual([]);
  const bytes = Buffer.from([0, 255, 1]);
  await target.write("pieces/ab/abcd.gz", bytes);
  await target.write("backups/one.json", Buffer.from("one"));
  await target.write("backups/one.json", Buffer.from("another"));
  await target.write("backups-of-others", Buffer.from("x"));
  expect(await target.read("pieces/ab/abcd.gz")).toEqual(bytes);
  expect((await target.read("backups/one.json"))?.toString()).toBe("another");
  expect(await names("backups")).toEqual(["backups/one.json"]);
  expect(await names("")).toEqual(["backups-of-others", "backups/one.json", "pieces/ab/abcd.gz"]);
  expect([await target.has("backups/one.json"), await target.has("backups/two.json")]).toEqual([true, false]);
  await target.delete("backups/one.json");
  await target.delete("backups/one.json");
  expect(await target.read("backups/one.json")).toBeUndefined();
  expect(await names("", new S3Target(at("")))).toContain(`backups-${count}/pieces/ab/abcd.gz`);
});

test("a list goes on past what one answer holds", async () => {
  const page = (name: string, next: string) =>
    `<ListBucketResult><Contents><Key>backups-${count}/pieces/${name}</Key></Contents>${next}</ListBucketResult>`;
  server.intercept = (request, response) => {
    if (!request.includes("list-type=2")) return false;
    const isSecond = request.includes("continuation-token=more");
    response.writeHead(200, { "content-type": "application/xml" });
    response.end(
      isSecond
        ? page("b", "<IsTruncated>false</IsTruncated>")
        : page("a", "<IsTruncated>true</IsTruncated><NextContinuationToken>more</NextContinuationToken>"),
    );
    return true;
  };
  expect(await names("pieces")).toEqual(["pieces/a", "pieces/b"]);
});

test.each([
  [
    { bucket: "no-such-bucket" },
    "has no bucket 'no-such-bucket'. Create it, or name another one in the target.",
  ],
  [
    { credentials: { accessKeyId: "S3RVER", secretAccessKey: "wrong" } },
    "refuses the key (SignatureDoesNotMatch).",
  ],
  [{ endpoint: "http://127.0.0.1:1" }, "can't be reached (ECONNREFUSED)."],
])("a bucket that can't be used is a sentence: %j", async (more, sentence) => {
  const wrong = new S3Target(at("backups", more));
  for (const act of [() => wrong.prepare(), () => listBackups(wrong)]) {
    const error = await act().then(
      () => undefined,
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(BackupError);
    expect(error.message).toContain(`The storage for backups, ${wrong.name}, `);
    expect(error.message).toContain(sentence);
    expect(error.message).not.toContain("wrong");
  }
});

test("a bucket takes encrypted backups as a directory does", async () => {
  const settings = at(`backups-${count}`);
  const place = { place: `s3://${BUCKET}/x`, s3: settings };
  await claimTarget(openTarget({ ...place, key: "a-key-for-the-backups" }), "1");
  await expect(listBackups(openTarget({ ...place, key: undefined }))).rejects.toThrow("are encrypted.");
  expect(await listBackups(openTarget({ ...place, key: "a-key-for-the-backups" }))).toEqual([]);
});

test("a target is never among the files that it is a backup of", () => {
  const own = { dataDir: "/srv/data", files: undefined, s3: at("chat") };
  const open = (s3: S3Settings) => () => openTarget({ place: "s3://x", key: undefined, s3 }, own);
  for (const prefix of ["chat", "chat/backups"])
    expect(open(at(prefix))).toThrow("which the backup is of. Name another bucket or prefix.");
  for (const s3 of [at("chat-backups"), at("chat", { bucket: "other" })]) expect(open(s3)).not.toThrow();
});
