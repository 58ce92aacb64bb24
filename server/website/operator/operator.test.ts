import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { cookieIn } from "../../../test/harness/sessions.ts";
import { createServer } from "../../app.ts";
import { readConfig } from "../../config.ts";
import { markCopy } from "../../platform/backup/copy-mark.ts";
import { sql } from "../../platform/db/sql.ts";
import { ok } from "../../platform/health/finding.ts";
import { Health } from "../../platform/health/health.ts";
import { ownVersion } from "../../version.ts";
import { OperatorKey, operatorCookie } from "./key.ts";
import { StatusReader } from "./status.ts";
import { bytesText } from "./status-page.ts";
import { WrongKeys } from "./wrong-keys.ts";

const KEY = "a-long-key-of-the-operator";
const ORIGIN = `http://${HOST}`;

let dataDir: string;
let harness: Harness;
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-operator-"));
  harness = await createHarness({ PARLEY_OPERATOR_KEY: KEY, PARLEY_DATA_DIR: dataDir });
});
afterAll(async () => {
  await harness.close();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Asked {
  cookie?: string;
  host?: string;
  origin?: string;
  address?: string;
  authorization?: string;
}

function ask(
  method: "GET" | "POST",
  url: string,
  { cookie, host = HOST, origin = `http://${host}`, address = "203.0.113.1", authorization }: Asked = {},
  fields: Record<string, string> = {},
) {
  return harness.app.inject({
    method,
    url,
    remoteAddress: address,
    headers: {
      host,
      ...(cookie !== undefined && { cookie }),
      ...(authorization !== undefined && { authorization }),
      ...(method === "POST" && { origin, "content-type": "application/x-www-form-urlencoded" }),
    },
    ...(method === "POST" && { payload: new URLSearchParams(fields).toString() }),
  });
}

async function signIn(more: Asked = {}): Promise<string> {
  const answer = await ask("POST", "/operator", more, { key: KEY });
  expect([answer.statusCode, answer.headers.location]).toEqual([303, "/operator"]);
  return cookieIn(answer.headers["set-cookie"]);
}

const bearer = (key = KEY) => ({ authorization: `Bearer ${key}` });
const statusJson = async (more: Asked = bearer()) => (await ask("GET", "/operator/status.json", more)).json();

describe("the key", () => {
  test("opens the page at every host name, for twelve hours, by a cookie that is not the key", async () => {
    expect((await ask("GET", "/operator")).body).toContain('name="key"');
    for (const host of [HOST, "nowhere.test", "127.0.0.1"]) {
      const answer = await ask("POST", "/operator", { host }, { key: ` ${KEY}\n` });
      const set = String(answer.headers["set-cookie"]);
      expect(set).toMatch(/^parley-operator=[^;]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
      expect(set).not.toContain(KEY);
      const page = await ask("GET", "/operator", { host, cookie: cookieIn(answer.headers["set-cookie"]) });
      expect(page.statusCode).toBe(200);
      expect(page.body).toContain(`Parley ${ownVersion}`);
      expect(page.body).not.toContain(KEY);
    }
    const now = Date.now();
    const cookieOf = (token: string) => operatorCookie({ cookie: `parley-operator=${token}` }, ORIGIN);
    const started = operatorCookie({}, ORIGIN);
    const key = new OperatorKey(harness.services.keyring, KEY);
    key.start(started, now);
    const token = cookieIn(started.header as string).split("=")[1] as string;
    expect(key.isSignedIn(cookieOf(token), now + 11 * 3600_000)).toBe(true);
    expect(key.isSignedIn(cookieOf(token), now + 12 * 3600_000)).toBe(false);
    const longer = token.replace(/^\d+/, (end) => String(Number(end) + 9999));
    for (const wrong of [longer, `${token}x`, token.slice(0, -2), "", "x", KEY]) {
      expect(key.isSignedIn(cookieOf(wrong), now)).toBe(false);
    }
    expect(new OperatorKey(harness.services.keyring, `${KEY}2`).isSignedIn(cookieOf(token), now)).toBe(false);
  });

  test("has a cookie of this host alone where people use https", () => {
    const cookie = operatorCookie({}, "https://chat.test");
    new OperatorKey(harness.services.keyring, KEY).start(cookie);
    expect(cookie.header).toMatch(/^__Host-parley-operator=.*; Secure$/);
  });

  test("is asked for again after signing out", async () => {
    const cookie = await signIn();
    const answer = await ask("POST", "/operator/sign-out", { cookie });
    expect(answer.headers["set-cookie"]).toMatch(/^parley-operator=; .*Max-Age=0/);
  });

  test("is not looked at after ten wrong ones of a network, and each is a line of the log", async () => {
    const warn = vi.spyOn(harness.services.log, "warn");
    const from = { address: "198.51.100.7" };
    for (let count = 0; count < 9; count++) {
      const answer = await ask("POST", "/operator", from, { key: `wrong-${count}` });
      expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([403, undefined]);
    }
    const json = await ask("GET", "/operator/status.json", { ...from, ...bearer("wrong-key") });
    expect([json.statusCode, json.json()]).toEqual([401, { status: "unauthorized" }]);
    const limited = await ask("POST", "/operator", from, { key: KEY });
    expect([limited.statusCode, limited.headers["set-cookie"]]).toEqual([429, undefined]);
    expect(Number(limited.headers["retry-after"])).toBeGreaterThan(0);
    expect((await ask("GET", "/operator/status.json", { ...from, ...bearer() })).statusCode).toBe(429);
    expect(JSON.stringify(warn.mock.calls)).not.toContain("wrong-");
    warn.mockRestore();
    await signIn({ address: "198.51.100.8" });
  });

  test("that is wrong counts for ten minutes", () => {
    const wrong = new WrongKeys();
    for (let count = 0; count < 10; count++) wrong.note("2001:db8::1", 1000);
    expect(wrong.isOver("2001:db8::2", 1000)).toBe(true);
    expect(wrong.isOver("2001:db8:1::2", 1000)).toBe(false);
    expect(wrong.isOver("2001:db8::2", 1000 + 10 * 60_000)).toBe(false);
  });

  test("that is wrong from a provider's customer keeps nobody else out, however many networks that one has", () => {
    const wrong = new WrongKeys();
    let looked = 0;
    for (let network = 0; network < 30_000; network++) {
      const address = `2001:db8:7:${network.toString(16)}::1`;
      if (wrong.isOver(address, 1000)) continue;
      wrong.note(address, 1000);
      looked++;
    }
    expect(looked).toBe(40);
    for (let count = 0; count < 9; count++) wrong.note("203.0.113.9", 1000);
    expect([wrong.isOver("203.0.113.9", 1000), wrong.isOver("2001:db8:8::1", 1000)]).toEqual([false, false]);
  });

  test("has at least 20 characters, and may lie in a file", () => {
    for (const PARLEY_OPERATOR_KEY of ["short", "with a space and more text"]) {
      expect(() => readConfig({ PARLEY_OPERATOR_KEY })).toThrow(/^PARLEY_OPERATOR_KEY must have 20 to/);
    }
    const file = path.join(dataDir, "operator-key");
    writeFileSync(file, `${KEY}\n`);
    expect(readConfig({ PARLEY_OPERATOR_KEY: `@${file}` }).operatorKey).toBe(KEY);
  });

  test("that is not set means that there is no page", async () => {
    const config = { ...harness.services.config, operatorKey: undefined };
    const app = await createServer({ ...harness.services, config });
    const page = await app.inject({ url: "/operator", headers: { host: HOST } });
    expect([page.statusCode, page.body]).toEqual([404, expect.stringContaining("set PARLEY_OPERATOR_KEY")]);
    const json = await app.inject({ url: "/operator/status.json", headers: { host: HOST, ...bearer("") } });
    expect([json.statusCode, json.json()]).toEqual([
      404,
      { status: "off", reason: "set PARLEY_OPERATOR_KEY" },
    ]);
    await app.close();
  });
});

describe("what is shown", () => {
  test("is escaped, and the same as JSON and as a page", async () => {
    const { database } = harness.services;
    await database.query(sql`
      update organizations set name = '<b>Soup & co</b>' where id = ${harness.state.organizationId}`);
    await database.query(sql`analyze messages`);
    await database.query(sql`
      insert into mails (organization_id, encrypted, kind, recipient, attempts, last_answer, refused_at)
      values (${harness.state.organizationId}, '', 'invitation', 'b…@ex.test', 1, '550 <i>no</i>', now())`);
    // One that has not asked for the sums yet, which it keeps for a minute.
    const app = await createServer(harness.services);
    const page = await app.inject({ url: "/operator", headers: { host: HOST, cookie: await signIn() } });
    const headers = { host: HOST, ...bearer() };
    const json = (await app.inject({ url: "/operator/status.json", headers })).json();
    await app.close();
    expect(page.body).toContain("&lt;b&gt;Soup &amp; co&lt;/b&gt;");
    expect(page.body).toContain("550 &lt;i&gt;no&lt;/i&gt;");
    expect(page.body).not.toMatch(/<b>Soup|<i>no/);
    expect(json).toMatchObject({
      version: ownVersion,
      node: process.version,
      database_answers: true,
      is_copy: false,
      backup: null,
      mails: { waiting: 0, failed: 0, refused: 1, newest: [{ recipient: "b…@ex.test", state: "refused" }] },
    });
    const { count, largest } = json.organizations;
    expect(largest).toHaveLength(count);
    for (const { host, people } of largest) {
      expect(page.body).toMatch(
        new RegExp(`<td>${host}</td><td>active</td><td class="number">${people}</td>`),
      );
    }
    expect(page.body).toContain(bytesText(json.database_bytes));
    expect(page.body).toContain(`${json.jobs.due} due`);
    const own = largest.find(({ host }: { host: string }) => host === HOST);
    const [{ people } = { people: 0 }] = await database.query<{ people: number }>(sql`
      select count(*)::int as people from users where organization_id = ${harness.state.organizationId}
        and bot_type is null and deactivated_at is null and not is_system`);
    expect(own.people).toBe(people);
    for (const { email } of [harness.user("ada"), harness.user("dev")]) {
      expect(page.body + JSON.stringify(json)).not.toContain(email);
    }
  });

  test("has PostgreSQL's estimate of messages", async () => {
    await harness.channel("soup", ["ada"]);
    for (let count = 0; count < 5; count++) {
      const message = { type: "channel", to: "soup", topic: "t", content: `message ${count}` };
      expect((await harness.as("ada").post("/messages", message)).status).toBe(200);
    }
    const { database } = harness.services;
    await database.query(sql`analyze messages`);
    const [{ total } = { total: 0 }] = await database.query<{ total: number }>(sql`
      select count(*)::int as total from messages where organization_id = ${harness.state.organizationId}`);
    const status = await new StatusReader(harness.services).read();
    const own = status.sums?.largest.find(({ host }) => host === HOST);
    expect(own?.messages).toBe(total);
  });

  test("has the parts of the server with their sentences", async () => {
    const health = new Health([], harness.services.log);
    const findings = new Map([["disk", ok("There is <room>.")] as const]);
    vi.spyOn(health, "findings", "get").mockReturnValue(findings);
    const status = await new StatusReader({ ...harness.services, health }).read();
    expect(status.health).toEqual([{ part: "disk", level: "ok", code: "ok", sentence: "There is <room>." }]);
  });

  test("is the parts alone while the database is away", async () => {
    const away = { ...harness.services.database, snapshot: () => Promise.reject(new Error("away")) };
    const database = away as unknown as Harness["services"]["database"];
    const app = await createServer({ ...harness.services, database });
    const headers = { host: HOST, ...bearer() };
    const answer = await app.inject({ url: "/operator/status.json", headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ database_answers: false, version: ownVersion });
    expect(answer.json()).not.toHaveProperty("organizations");
    const page = await app.inject({ url: "/operator", headers: { host: HOST, cookie: await signIn() } });
    expect(page.body).toContain("The database does not answer.");
    await app.close();
  });

  test("says when this is a copy, which mails nobody", async () => {
    markCopy(dataDir, "c");
    try {
      const page = await ask("GET", "/operator", { cookie: await signIn() });
      expect(page.body).toContain("This is a copy of an installation.");
      expect(page.body).not.toContain("Try again");
    } finally {
      rmSync(path.join(dataDir, "copy"));
    }
  });
});

describe("the button that tries mails again", () => {
  const refused = async () => {
    const { database } = harness.services;
    await database.query(sql`delete from mails`);
    await database.query(sql`
      insert into mails (organization_id, encrypted, refused_at)
      values (${harness.state.organizationId}, '', now()), (${harness.state.organizationId}, '', now())`);
    const rows = await database.query<{ id: number }>(sql`select id from mails order by id`);
    return rows.map(({ id }) => String(id));
  };
  const waiting = async () => (await statusJson()).mails.waiting;

  test("makes one due, or all", async () => {
    const [id = ""] = await refused();
    const cookie = await signIn();
    const answer = await ask("POST", "/operator/retry-mail", { cookie }, { mail: id });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, "/operator#mail"]);
    const rows = () =>
      harness.services.database.query(sql`select id from mails where refused_at is not null`);
    expect(await rows()).toHaveLength(1);
    await ask("POST", "/operator/retry-mail", { cookie }, { mail: "all" });
    expect(await rows()).toHaveLength(0);
  });

  test.each([
    ["another site", { origin: "https://evil.example" }, 403],
    ["another host of the site", { origin: `http://sub.${HOST}` }, 403],
  ])("takes nothing from %s", async (_name, more, status) => {
    const [id = ""] = await refused();
    const cookie = await signIn();
    const answer = await ask("POST", "/operator/retry-mail", { cookie, ...more }, { mail: id });
    expect(answer.statusCode).toBe(status);
    expect(await waiting()).toBe(0);
  });

  test("takes nothing without the cookie, or for a mail that is none", async () => {
    const [id = ""] = await refused();
    expect((await ask("POST", "/operator/retry-mail", {}, { mail: id })).headers.location).toBe("/operator");
    const cookie = await signIn();
    for (const mail of ["", "x", "0", "-1", `${id}; all`, "9".repeat(30)]) {
      await ask("POST", "/operator/retry-mail", { cookie }, { mail });
    }
    expect(await waiting()).toBe(0);
  });
});
