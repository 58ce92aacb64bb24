import { Writable } from "node:stream";
import type { FastifyInstance } from "fastify";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { createServer, openServices } from "../../app.ts";
import { readConfig } from "../../config.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Services } from "../../services.ts";
import { createInvitation } from "./invitations.ts";

interface Node {
  services: Services;
  app: FastifyInstance;
  log: string[];
  close(): Promise<void>;
}

async function startNode(database: TestDatabase, environment: Record<string, string> = {}): Promise<Node> {
  const log: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      done();
    },
  });
  const config = readConfig({ PARLEY_SECRET: "a secret for the tests", ...environment });
  const services = await openServices(config, pino({ level: "trace" }, sink), database.connection);
  const app = await createServer(services);
  return {
    services,
    app,
    log,
    async close() {
      await app.close();
      await services.database.close();
    },
  };
}

const filledIn = {
  organization_name: "Bakers",
  full_name: "Ida Moe",
  email: "ida@bakers.test",
  password: "rye and spelt",
};

function get({ app }: Node, url: string, host = "bakers.test") {
  return app.inject({ url, headers: { host } });
}

function submit(
  { app }: Node,
  url: string,
  fields: Record<string, string>,
  host = "bakers.test",
  more: Record<string, string> = {},
) {
  const headers = { host, "content-type": "application/x-www-form-urlencoded", ...more };
  return app.inject({ method: "POST", url, headers, payload: new URLSearchParams(fields).toString() });
}

async function organizationsOf({ services }: Node): Promise<{ host: string; name: string }[]> {
  return services.database.query(sql`select host, name from organizations order by id`);
}

async function invite(node: Node): Promise<string> {
  const path = await createInvitation(node.services);
  if (!path) throw new Error("there is an organization already");
  return path;
}

describe("on a server without an organization", () => {
  let database: TestDatabase;
  let node: Node;
  beforeAll(async () => {
    database = await createTestDatabase();
    node = await startNode(database, { PARLEY_RATE_LIMITS: "off" });
  });
  afterAll(async () => {
    await node.close();
    await database.drop();
  });

  test("the start page says what this is and where the API reference is", async () => {
    const { statusCode, body } = await get(node, "/");
    expect(statusCode).toBe(200);
    expect(body).toContain("There is no organization under this address");
    expect(body).toContain('href="/api"');
    const done = await get(node, "/new/done");
    expect([done.statusCode, done.headers.location]).toEqual([303, "/"]);
  });

  test("browsers get an icon for its pages", async () => {
    const { statusCode, headers, body } = await get(node, "/favicon.ico");
    expect([statusCode, headers["content-type"]]).toEqual([200, "image/svg+xml"]);
    expect(body).toBe((await get(node, "/logo.svg")).body);
  });

  test("a link that does not work says how to get another", async () => {
    const { statusCode, body } = await get(node, `/new/${"A".repeat(43)}`);
    expect(statusCode).toBe(404);
    expect(body).toContain("restart the server");
    expect(body).toContain('href="/"');
  });

  test("the link shows a form that works without a script, however often it is opened", async () => {
    const path = await invite(node);
    for (let times = 0; times < 2; times++) {
      const { statusCode, body, headers } = await get(node, path);
      expect(statusCode).toBe(200);
      for (const name of Object.keys(filledIn)) expect(body).toContain(`<label for="${name}">`);
      expect(body).toContain('<form method="post"');
      expect(body).not.toContain("<script");
      expect(headers["content-security-policy"]).toContain("form-action 'self'");
      expect(headers["referrer-policy"]).toBe("strict-origin");
    }
  });

  test("a problem is shown beside its field, and every value but the password is kept", async () => {
    const path = await invite(node);
    const { statusCode, body } = await submit(node, path, {
      ...filledIn,
      email: "ida at home",
      password: "secret!",
    });
    expect(statusCode).toBe(400);
    expect(body).toMatch(/id="email"[^>]* value="ida at home"[^>]* aria-invalid="true"/);
    expect(body).toMatch(/id="email-note" class="problem">[^<]+</);
    expect(body).toMatch(/id="password-note" class="problem">[^<]*8 to 100/);
    expect(body).toMatch(/id="full_name"[^>]* value="Ida Moe"/);
    expect(body).not.toContain("secret!");
    expect(await organizationsOf(node)).toEqual([]);
    expect((await get(node, path)).statusCode).toBe(200);
  });

  test("an empty form, and a body that is not a form, get the list of missing fields", async () => {
    const path = await invite(node);
    expect((await submit(node, path, {})).body.match(/class="problem"/g)).toHaveLength(4);
    const headers = { host: "bakers.test", "content-type": "application/json" };
    const json = await node.app.inject({ method: "POST", url: path, headers, payload: '{"email":{"a":1}}' });
    expect(json.statusCode).toBe(400);
    expect(json.body.match(/class="problem"/g)).toHaveLength(4);
  });

  test("markup in the fields is shown as text", async () => {
    const path = await invite(node);
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    const { body } = await submit(node, path, {
      organization_name: hostile,
      full_name: hostile,
      email: hostile,
      password: hostile,
    });
    expect(body).not.toMatch(/<script|<img/);
    expect(body).toContain("&quot;&gt;&lt;script&gt;");
  });

  test.each(["/new/", "/new/short", `/new/${"A".repeat(43)}`, "/new/..%2f..%2fetc"])(
    "an address that the server never issued (%s) does not work",
    async (path) => {
      expect((await get(node, path)).statusCode).toBe(404);
      expect((await submit(node, path, filledIn)).statusCode).toBe(404);
      expect(await organizationsOf(node)).toEqual([]);
    },
  );

  test("a link works for a day", async () => {
    const path = await invite(node);
    await node.services.database.query(
      sql`update organization_invitations set created_at = now() - interval '25 hours'`,
    );
    expect((await get(node, path)).statusCode).toBe(404);
    expect((await submit(node, path, filledIn)).statusCode).toBe(404);
    expect(await organizationsOf(node)).toEqual([]);
  });

  test("a request without a host name creates no organization", async () => {
    const path = await invite(node);
    const answer = await submit(node, path, filledIn, "no host!");
    expect(answer.statusCode).toBe(404);
    expect(await organizationsOf(node)).toEqual([]);
  });

  test("only the keyed hash of a token is stored", async () => {
    const token = (await invite(node)).slice("/new/".length);
    const rows = await node.services.database.query(sql`select token_hash from organization_invitations`);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString("hex"));
  });
});

describe("using the link", () => {
  let database: TestDatabase;
  let one: Node;
  let other: Node;
  let path: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    one = await startNode(database, { PARLEY_RATE_LIMITS: "off" });
    other = await startNode(database, { PARLEY_RATE_LIMITS: "off" });
    path = await invite(one);
  });
  afterAll(async () => {
    await one.close();
    await other.close();
    await database.drop();
  });

  test("creates one organization, however many requests use it at once and under which host names", async () => {
    const unused = await invite(other);
    const attempts = ["a.test", "b.test", "c.test", "d.test"].flatMap((host, index) => [
      submit(index % 2 ? one : other, path, filledIn, host),
      submit(index % 2 ? other : one, unused, filledIn, `other-${host}`),
    ]);
    const answers = await Promise.all(attempts);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, ...Array(7).fill(404)]);
    expect(await organizationsOf(one)).toHaveLength(1);
  });

  test("leads to a page with the next steps, which can be reloaded and shows nothing of the form but the name", async () => {
    const [{ host } = { host: "" }] = await organizationsOf(one);
    for (const node of [one, other]) {
      const { statusCode, body } = await get(node, "/new/done", host);
      expect(statusCode).toBe(200);
      expect(body).toContain("Bakers is ready");
      expect(body).toContain("npx parley api-key EMAIL");
      expect(body).toContain(`http://${host}`);
      for (const text of [filledIn.email, filledIn.full_name, filledIn.password])
        expect(body).not.toContain(text);
    }
  });

  test("gives an owner who can sign in", async () => {
    const [{ host } = { host: "" }] = await organizationsOf(one);
    const answer = await submit(
      one,
      "/api/v1/fetch_api_key",
      { username: filledIn.email, password: filledIn.password },
      host,
    );
    expect(answer.json()).toMatchObject({ result: "success", email: filledIn.email });
    const credentials = Buffer.from(`${filledIn.email}:${answer.json().api_key}`).toString("base64");
    const headers = { host, authorization: `Basic ${credentials}` };
    const me = await other.app.inject({ url: "/api/v1/users/me", headers });
    expect(me.json()).toMatchObject({ result: "success", is_owner: true, full_name: "Ida Moe" });
  });

  test("ends the link, and no new link is made", async () => {
    expect((await get(one, path)).statusCode).toBe(404);
    expect(await createInvitation(one.services)).toBeUndefined();
    expect(await createInvitation(other.services)).toBeUndefined();
  });

  test("leads to the start page when it is opened or sent again where the organization is", async () => {
    const [{ host } = { host: "" }] = await organizationsOf(one);
    for (const answer of [await get(one, path, host), await submit(other, path, filledIn, host)]) {
      expect([answer.statusCode, answer.headers.location]).toEqual([303, "/"]);
    }
  });

  test("begins with a topic that explains topics", async () => {
    const rows = await one.services.database.query(sql`
      select t.name, c.name as channel from messages m
      join topics t on t.organization_id = m.organization_id and t.id = m.topic_id
      join channels c on c.organization_id = m.organization_id and c.id = m.recipient_id`);
    expect(rows).toEqual([{ name: "how topics work", channel: "general" }]);
  });

  test("leaves neither token nor password nor key in the log", () => {
    const log = [...one.log, ...other.log].join("\n");
    expect(log).toContain("call");
    expect(log).not.toContain(path.slice("/new/".length));
    expect(log).not.toContain(filledIn.password);
    expect(log).not.toContain("api_key");
  });

  test("makes the client the start page, and nothing else changes for other addresses", async () => {
    const [{ host } = { host: "" }] = await organizationsOf(one);
    expect((await get(other, "/", host)).body).not.toContain("There is no organization under this address");
    const done = await get(other, "/new/done", host);
    expect(done.body).toContain("npx parley tail");
    expect(done.body).toContain(`http://${host}`);
    const elsewhere = await get(other, "/", "elsewhere.test");
    expect([elsewhere.statusCode, elsewhere.body]).toEqual([
      404,
      expect.stringContaining("There is no organization under this address"),
    ]);
  });
});

describe("behind a public address, with limits", () => {
  let database: TestDatabase;
  let node: Node;
  beforeAll(async () => {
    database = await createTestDatabase();
    node = await startNode(database, { PARLEY_PUBLIC_URL: "https://chat.bakers.test" });
  });
  afterAll(async () => {
    await node.close();
    await database.drop();
  });

  test("the organization gets the public host name, not the one in the request", async () => {
    const ownPage = { origin: "https://chat.bakers.test" };
    const { statusCode, headers } = await submit(
      node,
      await invite(node),
      filledIn,
      "127.0.0.1:9991",
      ownPage,
    );
    // Its owner is signed in, and reads the first topic.
    expect([statusCode, headers.location]).toEqual([303, "/#narrow/channel/1-general"]);
    expect(headers["set-cookie"]).toMatch(/^__Host-parley-session=[\w-]{43}; Path=\/; .*; Secure$/);
    expect(headers["referrer-policy"]).toBe("strict-origin");
    expect((await get(node, "/new/done", "127.0.0.1:9991")).body).toContain("https://chat.bakers.test");
    expect(await organizationsOf(node)).toEqual([{ host: "chat.bakers.test", name: "Bakers" }]);
  });

  test("guessing tokens is stopped by the rate limit", async () => {
    const statuses: number[] = [];
    for (let times = 0; times < 110; times++) {
      statuses.push((await get(node, `/new/${"A".repeat(43)}`)).statusCode);
    }
    expect(statuses[0]).toBe(404);
    expect(statuses.at(-1)).toBe(429);
  });
});
