// The files of an installation have one place. A disk that is not mounted is not taken for an empty one.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createEmptyDatabase } from "../harness/postgres.ts";
import { slackFiles, slackZip } from "../harness/slack-export.ts";
import { build, call, freePort, parley, start, temporaryDirectory, usedDirectory } from "./parley.ts";

beforeAll(build);

const unmounted = (files: string) =>
  `${files} has no files of this installation. Is it mounted? If this is their new place, run \`parley files adopt\`.`;

interface Installation {
  env: { PARLEY_DATA_DIR: string; PARLEY_FILES: string };
  files: string;
}

/** With an organization, whose owner is ada, and nothing uploaded. */
async function installation(): Promise<Installation> {
  const files = path.join(temporaryDirectory(), "files");
  const env = { PARLEY_DATA_DIR: await usedDirectory("serve"), PARLEY_FILES: files };
  // The directory of the template was marked where it was by default.
  renameSync(path.join(env.PARLEY_DATA_DIR, "files"), files);
  const words = ["organization", "create", "Acme", "--owner-email", "ada@acme.test", "--owner-name", "Ada"];
  const made = await parley(words, { ...env, PARLEY_OWNER_PASSWORD: "knight-takes-rook" });
  expect(made).toMatchObject({ code: 0, stderr: "" });
  return { env, files };
}

async function upload(url: string, env: Record<string, string>, name: string): Promise<Response> {
  const key = (await parley(["api-key", "ada@acme.test"], env)).stdout.trim().split(/\s+/).at(-1);
  const form = new FormData();
  form.append("file", new Blob(["soup"]), name);
  const authorization = `Basic ${Buffer.from(`ada@acme.test:${key}`).toString("base64")}`;
  return fetch(`${url}/api/v1/user_uploads`, { method: "POST", headers: { authorization }, body: form });
}

test("a server whose files are not mounted does not start, and nothing is made below the mount point", async () => {
  const { env, files } = await installation();
  const server = await start(["serve"], { env });
  expect((await upload(server.url, env, "menu.txt")).status).toBe(200);
  await server.stop();
  renameSync(files, `${files}.away`);
  mkdirSync(files);
  for (const words of [["serve"], ["serve", "--workers", "2"]]) {
    const refused = await call(words, { env });
    expect(refused).toMatchObject({ code: 69, stdout: "", stderr: `${unmounted(files)} (P224)\n` });
  }
  const doctor = await call(["doctor"], { env });
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain(`✗ ${unmounted(files)}`);
  // A command that needs no files works, and one that does says the same as a start.
  expect(await parley(["user", "list"], env)).toMatchObject({ code: 0, stderr: "" });
  for (const words of [
    ["user", "export", "ada@acme.test", path.join(temporaryDirectory(), "ada.tar.gz")],
    ["backup", path.join(temporaryDirectory(), "backups")],
  ]) {
    const refused = await call(words, { env });
    expect(refused.code, words[0]).toBe(69);
    expect(refused.stderr).toContain(unmounted(files));
  }
  expect(readdirSync(files)).toEqual([]);
  const adopt = await call(["files", "adopt"], { env });
  expect(adopt).toMatchObject({
    code: 69,
    stderr: `${files} has no files, but the database names some. Mount the disk, or copy the files there first. If they are lost, add --empty. (P224)\n`,
  });
  expect(readdirSync(files)).toEqual([]);
  rmSync(files, { recursive: true });
  renameSync(`${files}.away`, files);
  await (await start(["serve"], { env })).stop();
});

test("files that go away while the server runs are 503, and work again when they are back", async () => {
  const { env, files } = await installation();
  const port = String(await freePort());
  const server = await start(["serve"], { env: { ...env, PARLEY_PORT: port } });
  renameSync(files, `${files}.away`);
  mkdirSync(files);
  const refused = await upload(server.url, env, "menu.txt");
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ code: "FILES_AWAY" });
  expect(readdirSync(files)).toEqual([]);
  rmSync(files, { recursive: true });
  renameSync(`${files}.away`, files);
  expect((await upload(server.url, env, "menu.txt")).status).toBe(200);
  await server.stop();
});

test("files that were moved without their mark are taken again by a command, whether the server runs or not", async () => {
  const { env, files } = await installation();
  const server = await start(["serve"], { env });
  expect((await upload(server.url, env, "menu.txt")).status).toBe(200);
  const mark = path.join(files, ".parley-files");
  const id = readFileSync(mark, "utf8");
  rmSync(mark);
  expect((await upload(server.url, env, "menu.txt")).status).toBe(503);
  const adopted = await parley(["files", "adopt"], env);
  expect(adopted).toEqual({
    code: 0,
    stdout: `${files} is now the place of this installation's files.\n`,
    stderr: "",
  });
  expect(readFileSync(mark, "utf8")).toBe(id);
  expect((await upload(server.url, env, "menu.txt")).status).toBe(200);
  await server.stop();

  const lost = { ...env, PARLEY_FILES: path.join(temporaryDirectory(), "new") };
  expect((await call(["serve"], { env: lost })).stderr).toBe(`${unmounted(lost.PARLEY_FILES)} (P224)\n`);
  expect(await parley(["files", "adopt", "--empty", "--json"], lost)).toMatchObject({
    code: 0,
    stdout: `${JSON.stringify({ place: lost.PARLEY_FILES, written: true })}\n`,
  });
  await (await start(["serve"], { env: lost })).stop();
});

test("the files of another installation are refused, and taken only by an option that says so", async () => {
  const [one, two] = [await installation(), await installation()];
  // Both come from one template, which had the mark.
  for (const { env, files } of [one, two]) {
    rmSync(path.join(files, ".parley-files"), { force: true });
    expect((await parley(["files", "adopt"], env)).code).toBe(0);
  }
  const database = await createEmptyDatabase();
  const { host, port, user, database: name } = database.connection;
  const shared = {
    PARLEY_DATA_DIR: temporaryDirectory(),
    PARLEY_SECRET: "a secret for the tests of places",
    DATABASE_URL: `postgres:///${name}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`,
  };
  const foreign = { ...shared, PARLEY_FILES: one.files };
  const refused = await call(["serve"], { env: foreign });
  expect(refused.code).toBe(69);
  expect(refused.stderr).toContain(`${one.files} has files of another installation. Name the place of this`);
  const adopt = await call(["files", "adopt"], { env: foreign });
  expect(adopt.stderr).toContain("Add --replace to do it.");
  const first = await start(["serve"], { env: shared });
  expect(existsSync(path.join(shared.PARLEY_DATA_DIR, "files", ".parley-files"))).toBe(true);
  await first.stop();
  await database.drop();
});

test("a server that was given no place of files starts beside another, says so, and stores none", async () => {
  const database = await createEmptyDatabase();
  const { host, port, user, database: name } = database.connection;
  const shared = {
    PARLEY_SECRET: "a secret for the tests of places",
    DATABASE_URL: `postgres:///${name}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`,
  };
  const one = { ...shared, PARLEY_DATA_DIR: temporaryDirectory() };
  const two = { ...shared, PARLEY_DATA_DIR: temporaryDirectory() };
  const words = ["organization", "create", "Acme", "--owner-email", "ada@acme.test", "--owner-name", "Ada"];
  const first = await start(["serve"], { env: one });
  expect((await parley(words, { ...one, PARLEY_OWNER_PASSWORD: "knight-takes-rook" })).code).toBe(0);
  const second = await start(["serve"], { env: two });
  await second.prints(
    /Servers on one database need one place for files: set PARLEY_FILES to the one that the others have\. Until then this server stores no files\./,
  );
  expect((await upload(first.url, one, "menu.txt")).status).toBe(200);
  expect((await upload(second.url, two, "menu.txt")).status).toBe(503);
  expect(existsSync(path.join(two.PARLEY_DATA_DIR, "files", ".parley-files"))).toBe(false);
  await Promise.all([first.stop(), second.stop()]);
  await database.drop();
});

test("in development a place that has the mark of an outside database is not made again while it is away", async () => {
  const database = await createEmptyDatabase();
  const { host, port, user, database: name } = database.connection;
  const files = path.join(temporaryDirectory(), "files");
  const env = {
    PARLEY_ENV: "development",
    PARLEY_DATA_DIR: temporaryDirectory(),
    PARLEY_FILES: files,
    DATABASE_URL: `postgres:///${name}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`,
  };
  // Databases of tries come and go: by itself nothing is marked.
  await (await start(["serve"], { env })).stop();
  expect(existsSync(path.join(files, ".parley-files"))).toBe(false);
  expect(await parley(["files", "adopt"], env)).toMatchObject({ code: 0, stderr: "" });
  const archive = path.join(temporaryDirectory(), "slack.zip");
  writeFileSync(archive, slackZip(slackFiles()));
  const words = ["import", "slack", archive, "--host", "import.test", "--max-skipped", "100"];
  renameSync(files, `${files}.away`);
  const refused = await call(words, { env });
  expect(refused.code).toBe(69);
  expect(refused.stderr).toContain(unmounted(files));
  expect(existsSync(files)).toBe(false);
  renameSync(`${files}.away`, files);
  // What the first run wrote is there, and the second goes on.
  expect(await call(words, { env })).toMatchObject({ code: 0 });
  expect(readdirSync(files).filter((entry) => !entry.startsWith("."))).not.toEqual([]);
  await database.drop();
});
