import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { roles } from "../../api/roles.ts";
import { codeAt } from "../../server/accounts/second-steps/totp.ts";
import { ownVersion } from "../../server/version.ts";
import { readArchive } from "../harness/archive.ts";
import {
  api,
  build,
  freePort,
  type Json,
  parley,
  signIn,
  start,
  temporaryDirectory,
  usedDirectory,
} from "./parley.ts";

beforeAll(build);

describe("the command itself", () => {
  // Each command is a process.
  test("prints its version and its commands", { timeout: 300_000 }, async () => {
    expect(await parley(["--version"])).toEqual({ code: 0, stdout: `parley ${ownVersion}\n`, stderr: "" });
    const { code, stdout } = await parley(["--help"]);
    expect(code).toBe(0);
    for (const name of [
      "serve",
      "demo",
      "organization create",
      "organization list",
      "organization deactivate",
      "organization reactivate",
      "user create",
      "user list",
      "user role",
      "user deactivate",
      "user reactivate",
      "user erase",
      "user export",
      "user unlock",
      "user reset-password",
      "user change-email",
      "user sessions",
      "user reset-second-step",
      "user identities",
      "mail queue",
      "mail retry",
      "mail test",
      "mail discard",
      "statistics",
      "storage",
      "files adopt",
      "invite",
      "channel list",
      "channel create",
      "channel rename",
      "channel archive",
      "bot create",
      "api-key",
      "export",
      "audit-log",
      "send",
      "tail",
      "config",
      "doctor",
    ]) {
      expect(stdout).toContain(`  ${name} `);
      const help = await parley([...name.split(" "), "--help"]);
      expect(help).toMatchObject({ code: 0, stderr: "" });
      expect(help.stdout).toMatch(new RegExp(`^Usage: parley ${name}`));
    }
  });

  test("suggests the command that was meant", async () => {
    const wrong = await parley(["sned", "general"]);
    expect(wrong).toEqual({
      code: 2,
      stdout: "",
      stderr: "There is no command 'sned'. Did you mean 'send'?\nRun parley --help for a list.\n",
    });
    expect((await parley(["user", "craete"])).stderr).toContain("Did you mean 'user create'?");
    expect((await parley(["user", "photograph"])).stderr).toBe(
      "There is no command 'user photograph'.\nRun parley user --help for a list.\n",
    );
    expect((await parley(["bots"])).stderr).toContain("Did you mean 'bot'?");
  });

  test("answers a wrong call with the name of the help command", async () => {
    expect(await parley(["user", "create", "x@demo.test"])).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "Missing argument. Usage: parley user create EMAIL NAME [--role ROLE] [--password PASSWORD] [--any-email]\nRun parley user create --help for more.\n",
    });
    expect((await parley(["user", "create", "x@demo.test", "X Y", "--role", "admin"])).stderr).toContain(
      "--role: there is no role admin. Did you mean administrator?",
    );
    expect((await parley([])).code).toBe(2);
  });

  test("shows help for a group of commands", async () => {
    for (const words of [
      ["user", "--help"],
      ["user", "-h"],
      ["help", "user"],
    ]) {
      const help = await parley(words);
      expect(help).toMatchObject({ code: 0, stderr: "" });
      expect(help.stdout).toMatch(/^Usage: parley user COMMAND …\n\n {2}user create +create an account\n/);
    }
    expect((await parley(["bot", "--help"])).stdout).toMatch(
      /^Usage: parley bot COMMAND …\n\n {2}bot create /,
    );
    expect(await parley(["organization"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^Usage: parley organization COMMAND …\n\n {2}organization create /),
    });
  });

  test.each([
    ["organization", "list"],
    ["organization", "deactivate", "--host", "chat.test", "--yes"],
    ["organization", "reactivate", "--host", "chat.test"],
    ["user", "create", "faye@demo.test", "Faye Lind", "--password", "a long password"],
    ["user", "list"],
    ["user", "role", "faye@demo.test", "member"],
    ["user", "deactivate", "faye@demo.test"],
    ["user", "reactivate", "faye@demo.test"],
    ["user", "permit-email-changes", "faye@demo.test"],
    ["user", "reset-second-step", "faye@demo.test"],
    ["user", "identities", "faye@demo.test"],
    ["mail", "queue"],
    ["mail", "retry", "--all"],
    ["mail", "discard", "1", "--yes"],
    ["invite", "faye@demo.test"],
    ["bot", "create", "ci", "Build Bot", "--owner", "ada@demo.test"],
    ["topic", "merge", "general", "lunch"],
    ["api-key", "faye@demo.test"],
    ["export", "/tmp/parley-never-written.tar.gz"],
    ["import", "cancel", "--host", "chat.test"],
    ["backup", "/tmp/parley-never-written"],
    ["audit-log"],
    ["statistics"],
    ["secret", "rotate", "--yes"],
    ["secret", "reset", "--yes"],
  ])("makes no database in a misspelt directory: %s %s", async (...words) => {
    const dataDir = path.join(temporaryDirectory(), "typo");
    expect(await parley(words, { PARLEY_DATA_DIR: dataDir })).toEqual({
      ...{ code: 66, stdout: "" },
      stderr: `There is no Parley data in ${dataDir}. Set PARLEY_DATA_DIR to the server's own value. (P205)\n`,
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  test("a server refuses a variable that is no setting before it makes anything, and commands do not", async () => {
    const dataDir = path.join(temporaryDirectory(), "data");
    const env = { PARLEY_DATA_DIR: dataDir, PARLEY_SMPT_URL: "smtp://ada:hush@mail.test" };
    const refused = {
      code: 78,
      stdout: "",
      stderr:
        "PARLEY_SMPT_URL is no setting, perhaps PARLEY_SMTP_URL is meant. Correct the name, or remove the line if the setting is of another release. (P116)\n",
    };
    expect(await parley(["serve"], env)).toEqual(refused);
    expect(await parley(["serve", "--workers", "2"], env)).toEqual(refused);
    expect(existsSync(dataDir)).toBe(false);
    expect((await parley(["organization", "list"], env)).code).toBe(66);
    const doctor = await parley(["doctor"], env);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain("✗ PARLEY_SMPT_URL is no setting");
  });

  test("names the option or argument whose value is refused", async () => {
    const env = { PARLEY_DATA_DIR: path.join(temporaryDirectory(), "data") };
    const refusals = [
      await parley(["user", "create", "faye at home", "Faye Lind"], env),
      await parley(["user", "create", "faye@demo.test", "F"], env),
      await parley(["user", "create", "faye@demo.test", "Faye Lind", "--password", "short"], env),
      await parley(["bot", "create", "a b", "Build Bot", "--owner", "ada@demo.test"], env),
      await parley(["bot", "create", "ci", "B", "--owner", "ada@demo.test"], env),
      await parley(["organization", "create", "Chess Club", "--owner-name", "X"], env),
      await parley(["organization", "create", "Chess Club", "--host", "chess club"], env),
    ];
    const sources = refusals.map(({ code, stderr }) => [code, stderr.split(": ")[0]]);
    expect(sources).toEqual([
      [65, "EMAIL"],
      [65, "NAME"],
      [65, "--password"],
      [2, "SHORT_NAME"],
      [65, "FULL_NAME"],
      [65, "--owner-name"],
      [65, "--host"],
    ]);
    expect(existsSync(env.PARLEY_DATA_DIR)).toBe(false);
  });
});

describe.each([
  ["while the server runs", true],
  ["while no server runs", false],
])("%s", (_name, isRunning) => {
  test("people, keys and organizations can be made and used", async () => {
    const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
    let server = isRunning ? await start(["demo"], { env }) : undefined;

    const made = await parley(["user", "create", "faye@demo.test", "Faye Lind", "--role", "moderator"], env);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const [, password = ""] = /^The password, which is not shown again: (\S+)$/m.exec(made.stdout) ?? [];
    const again = await parley(["user", "create", "faye@demo.test", "Faye Lind"], env);
    expect(again).toEqual({ code: 1, stdout: "", stderr: "Email 'faye@demo.test' already in use (P506)\n" });

    const key = (await parley(["api-key", "faye@demo.test"], env)).stdout.trim();
    expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
    const newKey = (await parley(["api-key", "faye@demo.test", "--regenerate"], env)).stdout.trim();
    expect(newKey).not.toBe(key);
    expect((await parley(["audit-log", "--limit", "2"], env)).stdout).toMatch(
      /^\S+Z {2}command line {2}api_key_regenerated {2}user \d+\n\S+Z {2}command line {2}api_key_shown {2}user \d+\n$/,
    );
    const archive = path.join(temporaryDirectory(), "chat.tar.gz");
    const exported = await parley(["export", "--consent", archive], env);
    expect(exported).toMatchObject({ code: 0, stdout: "" });
    expect(exported.stderr).toMatch(/^Exported .+ with \d+ messages to .+\n$/m);
    const { records } = await readArchive(readFileSync(archive));
    expect(records.users).toContainEqual(expect.objectContaining({ email: "faye@demo.test" }));
    expect(records.complete?.[0].counts.messages).toBeGreaterThan(0);
    expect(await parley(["export", archive], env)).toEqual({
      code: 73,
      stdout: "",
      stderr: `${archive} exists. Give the name of a new file. (P514)\n`,
    });
    expect((await parley(["export", "--public", "--consent", archive], env)).code).toBe(2);
    expect((await parley(["audit-log", "--limit", "1"], env)).stdout).toMatch(
      /^\S+Z {2}command line {2}export_created {2}export {2}export_type: 2\n$/,
    );

    const deleted = await parley(["audit-log", "--delete-before", "2020-01-31"], env);
    expect(deleted).toEqual({ code: 0, stdout: "Deleted 0 entries.\n", stderr: "" });
    expect((await parley(["audit-log", "--delete-before", "yesterday"], env)).code).toBe(2);
    expect((await parley(["api-key", "nobody@demo.test"], env)).stderr).toBe(
      "There is no account with the email address nobody@demo.test. (P502)\n",
    );

    const owner = [
      "--owner-name",
      "Grace Hill",
      "--owner-email",
      "grace@chess.test",
      "--owner-password",
      "knight-takes-rook",
    ];
    const noHost = await parley(["organization", "create", "Chess Club", ...owner], env);
    expect(noHost).toMatchObject({ code: 73, stderr: expect.stringContaining("--host HOST") });
    const club = await parley(
      ["organization", "create", "Chess Club", "--host", "chess.test", ...owner],
      env,
    );
    expect(club).toMatchObject({ code: 0, stderr: "" });
    const graceKey = (
      await parley(["api-key", "grace@chess.test", "--host", "chess.test"], env)
    ).stdout.trim();

    server ??= await start(["demo"], { env });
    const me = await api(server, "GET", "/users/me", {}, `faye@demo.test:${newKey}`);
    expect(me.body).toMatchObject({ full_name: "Faye Lind", role: roles.moderator });
    expect((await api(server, "GET", "/users/me", {}, `faye@demo.test:${key}`)).status).toBe(401);
    const signedIn = await api(server, "POST", "/fetch_api_key", { username: "faye@demo.test", password });
    expect(signedIn.body.api_key).toBe(newKey);
    const { body } = await api(server, "GET", "/users/me/subscriptions", {}, `faye@demo.test:${newKey}`);
    expect(body.subscriptions.map((channel: Json) => channel.name)).toEqual(["general"]);
    // A key opens its own organization only.
    expect((await api(server, "GET", "/users/me", {}, `grace@chess.test:${graceKey}`)).status).toBe(401);
    await server.stop();
  });
});

test("user reset-second-step lets somebody who has lost it sign in by the password again", async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
  const server = await start(["demo"], { env });
  const account = { username: "dev@demo.test", password: "demo-password" };
  const key = (await parley(["api-key", account.username], env)).stdout.trim();
  const as = `${account.username}:${key}`;
  const { body } = await api(server, "POST", "/second_steps/totp", { password: account.password }, as);
  const confirmed = { code: codeAt(body.secret), password: account.password };
  expect((await api(server, "POST", "/second_steps/totp/confirm", confirmed, as)).status).toBe(200);
  const refused = await api(server, "POST", "/fetch_api_key", account);
  expect(refused.body.code).toBe("SECOND_STEP_REQUIRED");
  const reset = () => parley(["user", "reset-second-step", account.username], env);
  const done = "dev@demo.test signs in by the password alone now.\n";
  expect(await reset()).toEqual({ code: 0, stdout: done, stderr: "" });
  expect((await api(server, "POST", "/fetch_api_key", account)).body.api_key).toBe(key);
  const none = "dev@demo.test has no second step, and no identity that was connected by the password.\n";
  expect(await reset()).toEqual({ code: 0, stdout: none, stderr: "" });
  expect((await parley(["user", "reset-second-step", "nobody@demo.test"], env)).code).toBe(1);
  await server.stop();
});

test("invite prints a link by which one person joins, with the role that it names", async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo"), PARLEY_PORT: String(await freePort()) };
  const server = await start(["demo"], { env });
  const made = await parley(["invite", "faye@demo.test", "--role", "moderator"], env);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const link = made.stdout.trim().split("\n").at(-1) as string;
  expect(link).toMatch(new RegExp(`^http://127.0.0.1:${env.PARLEY_PORT}/join/[\\w-]{43}$`));
  const body = new URLSearchParams({ full_name: "Faye Lind", password: "knight-takes-rook" });
  const join = () => fetch(link, { method: "POST", body, redirect: "manual" });
  expect((await join()).status).toBe(303);
  expect((await join()).status).toBe(404);
  const again = await parley(["invite", "faye@demo.test"], env);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("already have an account") });
  await server.stop();
});

describe.each([
  ["while the server runs", true],
  ["while no server runs", false],
])("bot create, %s", (_name, isRunning) => {
  test("makes a bot that can call, and zuliprc files for it", async () => {
    const env = { PARLEY_DATA_DIR: await usedDirectory("demo"), PARLEY_PORT: String(await freePort()) };
    let server = isRunning ? await start(["demo"], { env }) : undefined;
    const file = path.join(temporaryDirectory(), "ci.zuliprc");
    const create = ["bot", "create", "ci", "Build Bot", "--owner", "ben@demo.test"];

    const made = await parley([...create, "--zuliprc", file], env);
    const site = `http://127.0.0.1:${env.PARLEY_PORT}`;
    expect(made).toEqual({
      code: 0,
      stdout: `Created Build Bot (ci-bot@localhost), a bot of Ben Ito.\nWrote its account at ${site} to ${file}.\n`,
      stderr: "",
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const printed = await parley(["api-key", "ci-bot@localhost", "--zuliprc"], env);
    expect(printed).toEqual({ code: 0, stdout: readFileSync(file, "utf8"), stderr: "" });
    expect(printed.stdout).toContain(`\nsite=${site}\n`);

    // Nothing is changed by a call that is refused.
    expect(
      (await parley(["api-key", "ci-bot@localhost", "--regenerate", "--zuliprc", file], env)).stderr,
    ).toBe(`${file} exists already. Remove it first, or name another file. (P514)\n`);
    expect(await parley(create, env)).toMatchObject({ code: 1, stderr: expect.stringContaining("in use") });
    const owners = ["echo-bot@demo.test", "nobody@demo.test"];
    for (const owner of owners) {
      expect(await parley(["bot", "create", "x", "Bot X", "--owner", owner], env)).toMatchObject({ code: 1 });
    }
    expect((await parley(["bot", "create", "x", "Bot X"], env)).code).toBe(2);
    const hook = ["bot", "create", "hook", "Hook Bot", "--owner", "ben@demo.test", "--type"];
    expect((await parley([...hook, "outgoing-webhook"], env)).code).toBe(2);
    expect((await parley([...hook, "strange"], env)).code).toBe(2);
    const wrong = [...hook, "outgoing-webhook", "--payload-url", "somewhere"];
    expect((await parley(wrong, env)).code).toBe(2);
    expect((await parley([...hook, "incoming-webhook"], env)).code).toBe(0);
    const second = await parley(["bot", "create", "two", "Bot Two", "--owner", "ben@demo.test"], env);
    const [, key = ""] = /^Its API key: ([A-Za-z0-9]{32})$/m.exec(second.stdout) ?? [];

    server ??= await start(["demo"], { env });
    const me = await api(server, "GET", "/users/me", {}, `two-bot@localhost:${key}`);
    expect(me.body).toMatchObject({ full_name: "Bot Two", is_bot: true, role: roles.member });
    const sent = await parley(["send", "--zuliprc", file, "--to", "ben@demo.test", "Build 814 passed."]);
    expect(sent).toMatchObject({ code: 0, stderr: "" });
    const everyone = await api(server, "GET", "/users", {}, await signIn(server, "ben@demo.test"));
    const ben = everyone.body.members.find((each: Json) => each.email === "ben@demo.test");
    const bot = everyone.body.members.find((each: Json) => each.email === "ci-bot@localhost");
    expect(bot).toMatchObject({ bot_type: 1, bot_owner_id: ben.user_id });
    const hookBot = everyone.body.members.find((each: Json) => each.email === "hook-bot@localhost");
    expect(hookBot).toMatchObject({ bot_type: 2, bot_owner_id: ben.user_id });
    await server.stop();
  });
});
