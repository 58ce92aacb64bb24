import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ownPageHeaders } from "../harness/own-page-headers.ts";
import { api, build, parley, start, usedDirectory, waitUntil } from "./parley.ts";

beforeAll(build);

const dev = "dev@demo.test";

describe.each([
  ["while the server runs", true],
  ["while no server runs", false],
])("%s", (_name, isRunning) => {
  test("accounts are listed, given roles, and their use is ended and begun again", async () => {
    const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
    let server = isRunning ? await start(["demo"], { env }) : undefined;
    const listed = async (...options: string[]) => (await parley(["user", "list", ...options], env)).stdout;

    expect(await listed()).toMatch(/^dev@demo\.test +member +\d{4}-\d\d-\d\d {2}\S/m);
    expect(await parley(["user", "role", dev, "moderator"], env)).toEqual({
      code: 0,
      stdout: `${dev} has the role moderator.\n`,
      stderr: "",
    });
    expect(await listed()).toMatch(/^dev@demo\.test +moderator /m);
    const oldKey = (await parley(["api-key", dev], env)).stdout.trim();
    expect(await parley(["user", "deactivate", dev], env)).toEqual({
      code: 0,
      stdout: `Deactivated the account of ${dev}.\n`,
      stderr: "",
    });
    expect(await parley(["user", "deactivate", dev], env)).toMatchObject({
      code: 1,
      stderr: `The account of ${dev} is deactivated. (P503)\n`,
    });
    expect(await listed()).not.toContain(dev);
    expect(await listed("--all")).toMatch(/^dev@demo\.test .*\(deactivated\)$/m);
    const all = (await listed("--all", "--json")).trim().split("\n");
    expect(all.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ email: dev, is_active: false, is_bot: false, role: 300 }),
    );
    expect((await parley(["audit-log", "--limit", "1"], env)).stdout).toMatch(
      /^\S+Z {2}command line {2}user_deactivated /,
    );

    server ??= await start(["demo"], { env });
    const running = server;
    const ask = () => api(running, "POST", "/dev_fetch_api_key", { username: dev });
    await waitUntil(async () => (await ask()).body.code === "USER_DEACTIVATED", "the server learns of it");
    expect(await parley(["user", "reactivate", dev], env)).toMatchObject({
      code: 0,
      stdout: `Reactivated the account of ${dev}.\n`,
    });
    expect((await parley(["user", "reactivate", dev], env)).stdout).toBe(
      `The account of ${dev} was active.\n`,
    );
    await waitUntil(async () => (await ask()).status === 200, "the server lets the person in again");
    expect((await ask()).body.api_key).not.toBe(oldKey);
    await server.stop();
  });

  test("a copy of somebody's data is written, and then they are erased", async () => {
    const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
    const server = isRunning ? await start(["demo"], { env }) : undefined;
    const file = path.join(env.PARLEY_DATA_DIR, "dev.tar.gz");
    const copied = await parley(["user", "export", dev, file], env);
    expect([copied.code, copied.stdout]).toEqual([0, ""]);
    expect(copied.stderr).toMatch(
      /^Exported the data of dev@\S+ to .*: \d+ messages received, \d+ sent, \d+ files$/m,
    );
    expect((await parley(["user", "export", dev, file], env)).stderr).toBe(
      `${file} exists. Give the name of a new file. (P514)\n`,
    );
    const before = await parley(["user", "erase", dev, "--dry-run"], env);
    expect(before.stdout).toMatch(/^Dev \S+ would become "Deleted user \d+"\.\n\d+ messages would be kept/);
    expect(before.stdout).toMatch(/^ {2}api_keys +1$/m);
    expect(await parley(["user", "erase", dev], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Nobody can be asked here."),
    });
    expect(await parley(["user", "erase", dev, "--messages", "burn", "--yes"], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--messages is keep or delete."),
    });
    expect((await parley(["user", "list"], env)).stdout).toContain(dev);
    const erased = await parley(["user", "erase", dev, "--yes", "--messages", "delete"], env);
    expect([erased.code, erased.stderr]).toEqual([0, ""]);
    expect(erased.stdout).toMatch(/^Erased the person who had the address dev@.* "Deleted user \d+"\.$/m);
    expect((await parley(["user", "list", "--all"], env)).stdout).not.toContain(dev);
    expect(await parley(["user", "erase", dev, "--yes"], env)).toMatchObject({
      code: 1,
      stderr: `There is no account with the email address ${dev}. (P502)\n`,
    });
    await server?.stop();
  });
});

describe.each([
  ["while the server runs", true],
  ["while no server runs", false],
])("%s", (_name, isRunning) => {
  test("somebody who is refused after wrong passwords is let in again", async () => {
    const email = "tess@demo.test";
    const password = "knight-takes-rook";
    const env = { PARLEY_DATA_DIR: await usedDirectory("demo"), PARLEY_USER_PASSWORD: password };
    expect(await parley(["user", "create", email, "Tess Lark"], env)).toMatchObject({ code: 0 });
    let server = await start(["demo"], { env });
    const tryIt = (shown: string) =>
      api(server, "POST", "/fetch_api_key", { username: email, password: shown });
    for (let each = 0; each < 5; each++) expect((await tryIt("swordfish")).status).toBe(401);
    expect(await tryIt(password)).toMatchObject({
      status: 429,
      body: {
        code: "RATE_LIMIT_HIT",
        msg: "There were too many wrong passwords. Try again in 30 minutes, or ask the server's administrator.",
      },
    });
    if (!isRunning) await server.stop();
    expect(await parley(["user", "unlock", email], env)).toEqual({
      code: 0,
      stdout: `${email} can sign in again.\n`,
      stderr: "",
    });
    expect((await parley(["audit-log", "--limit", "1"], env)).stdout).toMatch(
      /^\S+Z {2}command line {2}sign_in_unlocked {2}user \d+$/m,
    );
    expect((await parley(["user", "unlock", email], env)).stdout).toBe(
      `No wrong passwords or codes count against ${email}.\n`,
    );
    if (!isRunning) server = await start(["demo"], { env });
    expect((await tryIt(password)).status).toBe(200);
    await server.stop();
  });
});

test("a lost password, another address and sessions are seen to without mail, while the server runs", async () => {
  const email = "tess@demo.test";
  const password = "knight-takes-rook";
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo"), PARLEY_USER_PASSWORD: password };
  const server = await start(["demo"], { env });
  expect(await parley(["user", "create", email, "Tess Lark"], env)).toMatchObject({ code: 0 });
  const signIn = async (username: string, shown: string) => {
    const body = new URLSearchParams({ username, password: shown });
    const headers = ownPageHeaders;
    return (await fetch(`${server.url}/api/v1/session`, { method: "POST", headers, body })).status;
  };
  expect((await parley(["user", "sessions", email], env)).stdout).toBe(`${email} is signed in nowhere.\n`);
  expect(await signIn(email, password)).toBe(200);
  expect((await parley(["user", "sessions", email], env)).stdout).toMatch(
    /^\d+ {2}\S+ {2}\S+ {2}\S+ {2}.+\n$/,
  );
  const made = await parley(["user", "reset-password", email, "--end-sessions"], env);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(made.stdout).toContain("All their sessions have ended.");
  expect((await parley(["user", "sessions", email], env)).stdout).toBe(`${email} is signed in nowhere.\n`);
  const link = new URL(/^http\S+$/m.exec(made.stdout)?.[0] ?? "");
  const chosen = await fetch(new URL(link.pathname, server.url), {
    method: "POST",
    headers: ownPageHeaders,
    body: new URLSearchParams({ password: "bishop-to-castle" }),
  });
  expect(chosen.status).toBe(200);
  expect(await signIn(email, password)).toBe(401);
  expect(await signIn(email, "bishop-to-castle")).toBe(200);
  const moved = await parley(["user", "change-email", email, "tess.lark@demo.test"], env);
  expect(moved).toEqual({
    code: 0,
    stdout: `${email} has the address tess.lark@demo.test now.\n`,
    stderr: "",
  });
  await waitUntil(
    async () => (await signIn("tess.lark@demo.test", "bishop-to-castle")) === 200,
    "the server learns of the address",
  );
  expect((await parley(["user", "sessions", "tess.lark@demo.test", "--end-all"], env)).stdout).toBe(
    "2 sessions of tess.lark@demo.test ended. API keys go on working.\n",
  );
  await server.stop();
});

test("channels are made, renamed, archived and brought back, and private ones listed", async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
  const run = async (...words: string[]) => (await parley(["channel", ...words], env)).stdout;
  expect(await run("create", "harvest", dev, "--private", "--description", "Apples")).toMatch(
    /^Made the private channel harvest, number \d+, with 1 subscriber\.\n$/,
  );
  expect(await run("list")).toMatch(/^ *\d+ {2}private +1 {2}harvest$/m);
  expect(await run("rename", "harvest", "orchard")).toMatch(/^The channel \d+ has the name orchard\.\n$/);
  expect(await run("archive", "orchard")).toBe("The channel orchard is archived.\n");
  expect(await run("archive", "orchard")).toBe("The channel orchard is archived already.\n");
  expect(await run("list")).not.toContain("orchard");
  expect(await run("list", "--all")).toMatch(/orchard \(archived\)$/m);
  expect(await run("archive", "orchard", "--undo")).toBe("The channel orchard is in use.\n");
  expect((await parley(["audit-log", "--limit", "1"], env)).stdout).toMatch(
    /command line {2}channel_unarchived/,
  );
});

test("what can't be done is said in a sentence", async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
  const owners = (await parley(["user", "list"], env)).stdout.match(/^\S+(?= +owner )/gm) ?? [];
  expect(owners).toHaveLength(1);
  const [owner = ""] = owners;
  const bot = (await parley(["user", "list", "--all"], env)).stdout.match(/^\S+(?= .*\(bot\)$)/m)?.[0] ?? "";
  for (const [words, code, sentence] of [
    [["role", dev, "modertor"], 2, "ROLE: there is no role modertor. Did you mean moderator?"],
    [
      ["role", "nobody@demo.test", "member"],
      1,
      "There is no account with the email address nobody@demo.test. (P502)",
    ],
    [["role", owner, "member"], 1, expect.stringContaining("owner")],
    [["deactivate", owner], 1, expect.stringContaining("owner")],
    [["deactivate", bot], 1, `${bot} is a bot. Its owner deactivates it. (P503)`],
    [["reactivate", bot], 1, `${bot} is a bot. Its owner reactivates it. (P503)`],
    [["unlock", "nobody@demo.test"], 1, expect.stringContaining("nobody@demo.test")],
    [["unlock", dev, "--network", "the office"], 2, expect.stringContaining("--network: give an IP address")],
    [["reset-password", bot], 1, `${bot} is a bot, which has no password. (P503)`],
    [["change-email", dev, owner], 1, expect.stringContaining(owner)],
    [["change-email", bot, "b@demo.test"], 1, `${bot} is a bot, whose address stays. (P503)`],
    [["sessions", dev, "--end", "999999"], 1, expect.stringContaining("has no session 999999")],
    [["sessions", dev, "--end", "one"], 2, "--end: not a number"],
    [["reactivate", "nobody@demo.test"], 1, expect.stringContaining("nobody@demo.test")],
  ] as const) {
    const answer = await parley(["user", ...words], env);
    expect([answer.code, answer.stderr.split("\n")[0]], words.join(" ")).toEqual([code, sentence]);
  }
});

test("several people get a role or leave at once, and nothing happens if one address is wrong", async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
  const rolesOf = async () => {
    const { stdout } = await parley(["user", "list", "--all", "--json"], env);
    const accounts = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    return Object.fromEntries(accounts.map(({ email, role, is_active }) => [email, is_active ? role : null]));
  };
  const [ada, ben, elin] = ["ada@demo.test", "ben@demo.test", "elin@demo.test"] as const;
  const before = await rolesOf();
  expect(await parley(["user", "role", dev, "nobody@demo.test", "moderator"], env)).toMatchObject({
    stdout: "",
    stderr: "There is no account with the email address nobody@demo.test. (P502)\n",
  });
  expect(await rolesOf()).toEqual(before);
  expect(await parley(["user", "role", dev, ben, dev.toUpperCase(), "owner"], env)).toMatchObject({
    code: 0,
    stdout: `${dev.toUpperCase()} has the role owner.\n${ben} has the role owner.\n`,
  });
  // The last one would leave the organization without an owner.
  const allOwners = await parley(["user", "role", ada, ben, dev, "member"], env);
  expect(allOwners).toMatchObject({
    code: 1,
    stdout: `${ada} has the role member.\n${ben} has the role member.\n`,
  });
  expect(await rolesOf()).toEqual({ ...before, [ada]: 400, [ben]: 400, [dev]: 100 });
  expect(await parley(["user", "deactivate", ada, elin], env)).toMatchObject({
    code: 0,
    stdout: `Deactivated the account of ${ada}.\nDeactivated the account of ${elin}.\n`,
  });
  expect(await rolesOf()).toMatchObject({ [ada]: null, [elin]: null, [ben]: 400 });
});
