// Backups of whole installations, by the commands that people run.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { listStreams, readUntil } from "../../server/platform/backup/log-chunks.ts";
import { findBackup } from "../../server/platform/backup/manifest.ts";
import { openTarget } from "../../server/platform/backup/open-target.ts";
import {
  api,
  build,
  isRoot,
  parley,
  people,
  run,
  signIn,
  start,
  temporaryDirectory,
  usedDirectory,
  waitUntil,
} from "../e2e/parley.ts";
import { BUCKET, startS3Server } from "../harness/s3-server.ts";
import { keepSending, messagesSince, type Sent, send } from "./backup-load.ts";
import { LONG_MS, MADE_MS } from "./backup-times.ts";

beforeAll(build);

test(
  "a server under load is backed up, killed and restored, and nothing acknowledged before is missing",
  async () => {
    const dataDir = await usedDirectory("demo");
    const target = path.join(temporaryDirectory(), "backups");
    const server = await start(["demo"], { env: { PARLEY_DATA_DIR: dataDir } });
    const key = await signIn(server);
    const { body: queue } = await api(server, "POST", "/register", { event_types: ["message"] }, key);
    const sent: Sent[] = [];
    const load = keepSending(server, key, sent);
    await waitUntil(() => sent.length >= 20, "messages before the backup");
    const before = sent.length;
    const made = await parley(["backup", target], { PARLEY_DATA_DIR: dataDir, PARLEY_ENV: "development" });
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const during = sent.length;
    await waitUntil(() => sent.length >= during + 10, "messages after the backup");
    await server.stop("SIGKILL");
    await load;

    const restored = path.join(temporaryDirectory(), "restored");
    expect(await parley(["restore", target, "--data-dir", restored])).toMatchObject({ code: 0, stderr: "" });
    const second = await start(["demo"], { env: { PARLEY_DATA_DIR: restored } });
    const found = await messagesSince(second, await signIn(second), (sent[0] as Sent).id);
    expect(found.slice(0, before)).toEqual(sent.slice(0, before));
    // What came later is there up to one moment, without a hole.
    expect(found).toEqual(sent.slice(0, found.length));
    expect(found.length).toBeLessThan(sent.length);

    const position = { queue_id: queue.queue_id, last_event_id: queue.last_event_id, dont_block: true };
    const { status, body } = await api(second, "GET", "/events", position, key);
    expect([status, body.code]).toEqual([400, "BAD_EVENT_QUEUE_ID"]);
    await second.stop();
  },
  LONG_MS,
);

test(
  "a server under load is killed and restored to a moment: all acknowledged before it, nothing sent after it",
  async () => {
    const dataDir = await usedDirectory("demo");
    const place = path.join(temporaryDirectory(), "backups");
    const target = openTarget({ place, key: undefined, s3: undefined });
    const env = { PARLEY_DATA_DIR: dataDir, PARLEY_BACKUP: place, PARLEY_BACKUP_AT: "off" };
    const server = await start(["demo"], { env });
    const key = await signIn(server);
    await waitUntil(async () => (await listStreams(target)).size === 1, "the archive of the log", MADE_MS);
    const made = await parley(["backup", place], { PARLEY_DATA_DIR: dataDir, PARLEY_ENV: "development" });
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const sent: Sent[] = [];
    const load = keepSending(server, key, sent);
    await waitUntil(() => sent.length >= 20, "messages before the moment");
    const before = sent.length;
    // Rounded up, since what was acknowledged has parts of a millisecond.
    const moment = new Date(Date.now() + 1);
    await waitUntil(() => Date.now() > moment.getTime(), "the end of the moment");
    const possible = sent.length + 1;
    await waitUntil(() => sent.length >= before + 20, "messages after the moment");
    const { log = "" } = await findBackup(target);
    const hasMoment = async () => ((await readUntil(target, log))?.at ?? moment) > moment;
    await waitUntil(hasMoment, "the log of the moment", MADE_MS);
    await server.stop("SIGKILL");
    await load;

    const restored = path.join(temporaryDirectory(), "restored");
    const words = ["restore", place, "--data-dir", restored, "--at", moment.toISOString()];
    expect(await parley(words)).toMatchObject({ code: 0, stderr: "" });
    const second = await start(["demo"], { env: { PARLEY_DATA_DIR: restored } });
    const found = await messagesSince(second, await signIn(second), (sent[0] as Sent).id);
    // The one that was on its way at that moment may be there.
    expect(found).toEqual(sent.slice(0, found.length));
    expect(found.length).toBeGreaterThanOrEqual(before);
    expect(found.length).toBeLessThanOrEqual(possible);
    await second.stop();
  },
  LONG_MS,
);

test("a stopped installation is backed up, listed, verified and restored with its secret and files", async () => {
  const dataDir = await usedDirectory("serve");
  const env = { PARLEY_DATA_DIR: dataDir };
  const made = await parley(
    ["organization", "create", "Chess", "--owner-email", "ada@chess.test", "--owner-name", "Ada"],
    { ...env, PARLEY_OWNER_PASSWORD: "knight-takes-rook" },
  );
  expect(made.code).toBe(0);
  const target = path.join(temporaryDirectory(), "backups");
  expect(await parley(["backup", target], env)).toMatchObject({ code: 0, stderr: "" });
  const listed = await parley(["backup", "list", target]);
  expect(listed.stdout).toMatch(/^\d{8}T\d{6}Z .* with secret /);
  const json = await parley(["backup", "list", "--json", target]);
  expect(JSON.parse(json.stdout)).toMatchObject({ id: expect.any(String), secret: "included" });
  expect(json.stdout).not.toContain(readFileSync(path.join(dataDir, "secret"), "utf8").trim());
  const verified = await parley(["backup", "verify", target]);
  expect(verified).toMatchObject({ code: 0, stderr: "" });
  expect(verified.stdout).toMatch(/^Backup \S+ in \S+ is good/);

  const restored = path.join(temporaryDirectory(), "restored");
  expect(await parley(["restore", target, "--data-dir", restored])).toMatchObject({ code: 0 });
  const key = (dir: string) => parley(["api-key", "ada@chess.test"], { PARLEY_DATA_DIR: dir });
  expect((await key(restored)).stdout).toBe((await key(dataDir)).stdout);
});

test(
  "a backup that is killed at any step is not listed, and the next one is good",
  async () => {
    const dataDir = await usedDirectory("demo");
    const target = path.join(temporaryDirectory(), "backups");
    const env = { PARLEY_DATA_DIR: dataDir, PARLEY_ENV: "development" };
    const server = await start(["demo"], { env: { PARLEY_DATA_DIR: dataDir } });
    for (const pieces of [0, 1, 100, 300]) {
      const killed = run(["backup", target], { env });
      await waitUntil(
        () => existsSync(path.join(target, "parley-backup.json")) && countPieces(target) >= pieces,
        `${pieces} pieces`,
      );
      killed.child.kill("SIGKILL");
      await killed.end;
      expect((await parley(["backup", "list", target])).stdout).toBe("");
    }
    const none = await parley(["restore", target, "--data-dir", path.join(temporaryDirectory(), "none")]);
    expect(none).toMatchObject({ code: 66, stderr: expect.stringContaining("was ever finished") });
    expect(await parley(["backup", target], env)).toMatchObject({ code: 0, stderr: "" });
    expect(await parley(["backup", "verify", target])).toMatchObject({ code: 0, stderr: "" });
    await server.stop();
  },
  LONG_MS,
);

test("a copy beside the original sends none of its mails, and no backups are made of it", async () => {
  const dataDir = await usedDirectory("demo");
  const [dir, env] = [temporaryDirectory(), { PARLEY_ENV: "development" }];
  const target = path.join(dir, "backups");
  expect(await parley(["backup", target], { ...env, PARLEY_DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  const copy = path.join(dir, "copy");
  const made = await parley(["restore", target, "--data-dir", copy, "--as-copy"]);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const server = await start(["demo"], { env: { PARLEY_DATA_DIR: copy } });
  expect(server.stdout()).toContain(
    `no mail, webhooks or scheduled messages before ${path.join(copy, "copy")} is deleted`,
  );
  await server.stop();
  const refused = await parley(["backup", target], { ...env, PARLEY_DATA_DIR: copy });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("is a copy of an installation") });
  rmSync(path.join(copy, "copy"));
  expect(await parley(["backup", target], { ...env, PARLEY_DATA_DIR: copy })).toMatchObject({ code: 0 });
});

test(
  "a server makes its backups in a bucket, where commands read them",
  async () => {
    const bucket = await startS3Server();
    onTestFinished(() => bucket.close());
    const { PARLEY_FILES: _, ...access } = bucket.variables;
    const target = `s3://${BUCKET}/backups`;
    const dataDir = await usedDirectory("serve");
    const env = { PARLEY_DATA_DIR: dataDir, PARLEY_BACKUP: target, ...access };
    const server = await start(["serve"], { env });
    await waitUntil(() => existsSync(path.join(dataDir, "backups.json")), "a backup is noted", MADE_MS);
    expect(JSON.parse(readFileSync(path.join(dataDir, "backups.json"), "utf8"))).toMatchObject({
      failures: 0,
    });
    const isArchived = () => bucket.requests.some((request) => /^PUT .*log.*until/.test(request));
    await waitUntil(isArchived, "the log is archived", MADE_MS);
    await server.stop("SIGKILL");
    expect((await parley(["backup", "list", target], access)).stdout).toMatch(
      /^\d{8}T\d{6}Z .* with secret /,
    );
    expect(await parley(["backup", "verify", target], access)).toMatchObject({ code: 0 });
    const restored = path.join(temporaryDirectory(), "restored");
    expect(await parley(["restore", target, "--data-dir", restored], access)).toMatchObject({
      code: 0,
    });
    expect((await parley(["doctor"], { ...env })).stdout).toMatch(
      /✓ The newest backup in s3:\/\/parley-files\/backups at/,
    );
    await (await start(["serve"], { env: { PARLEY_DATA_DIR: restored } })).stop();
    expect(
      await parley(["backup", "list", target], { ...access, AWS_SECRET_ACCESS_KEY: "wrong" }),
    ).toMatchObject({
      code: 78,
      stderr: expect.stringMatching(
        /The storage for backups, s3:\/\/parley-files\/backups at \S+, refuses the key/,
      ),
    });
    expect(await parley(["backup", "list", target])).toMatchObject({
      code: 78,
      stderr: `The target is '${target}', which needs a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. (P101)\n`,
    });
  },
  LONG_MS,
);

test("a restore that is killed leaves a directory on which nothing starts", async () => {
  const dataDir = await usedDirectory("serve");
  const target = path.join(temporaryDirectory(), "backups");
  expect(await parley(["backup", target], { PARLEY_DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  const restored = path.join(temporaryDirectory(), "restored");
  const killed = run(["restore", target, "--data-dir", restored]);
  await waitUntil(() => existsSync(path.join(restored, "postgres", "base")), "a part of the database");
  killed.child.kill("SIGKILL");
  await killed.end;
  for (const words of [["serve"], ["organization", "list"], ["backup", target]]) {
    const refused = await parley(words, { PARLEY_DATA_DIR: restored });
    expect(refused).toMatchObject({ code: 78, stderr: expect.stringContaining("was interrupted") });
  }
});

// As elsewhere: only root may mount a small disk.
test.runIf(isRoot)(
  "a disk that fills up ends the backup with a sentence, and the server goes on",
  async () => {
    const dataDir = await usedDirectory("demo");
    const target = smallDisk("3m");
    const server = await start(["demo"], { env: { PARLEY_DATA_DIR: dataDir } });
    const key = await signIn(server);
    const env = { PARLEY_DATA_DIR: dataDir, PARLEY_ENV: "development" };
    const full = await parley(["backup", target], env);
    expect(full).toMatchObject({
      code: 74,
      stderr: expect.stringContaining(`The disk of ${target} is full`),
    });
    expect((await parley(["backup", "list", target])).stdout).toBe("");
    const { body } = await send(server, key, "after the backup");
    expect(body.result).toBe("success");
    await server.stop();
  },
);

test.each(people)(
  "%s makes a backup of their own installation and restores it",
  async (_, person) => {
    const dir = temporaryDirectory(person);
    const env = { PARLEY_DATA_DIR: path.join(dir, "data") };
    await (await start(["serve"], { env, person })).stop();
    for (const words of [
      ["backup", path.join(dir, "backups")],
      ["backup", "verify", path.join(dir, "backups")],
      ["restore", path.join(dir, "backups"), "--data-dir", path.join(dir, "restored")],
    ]) {
      const ended = run(words, { env, person });
      expect([await ended.end, ended.stderr()], words.join(" ")).toEqual([{ code: 0, signal: null }, ""]);
    }
    await (await start(["serve"], { env: { PARLEY_DATA_DIR: path.join(dir, "restored") }, person })).stop();
    if (person.uid === undefined) return;
    const closed = path.join(temporaryDirectory(), "closed");
    mkdirSync(closed, { mode: 0o700 });
    const refused = run(["backup", path.join(closed, "x")], { env, person });
    expect(await refused.end).toEqual({ code: 73, signal: null });
    expect(refused.stderr()).toContain("can't be written by this user (id 65534)");
  },
  LONG_MS,
);

function smallDisk(size: string): string {
  const dir = temporaryDirectory();
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", dir]);
  onTestFinished(() => void execFileSync("umount", [dir]));
  return dir;
}

function countPieces(target: string): number {
  const folder = path.join(target, "pieces");
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile(),
  ).length;
}
