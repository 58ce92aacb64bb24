import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { DEMO_PASSWORD } from "../../../server/website/demo/cast.ts";
import {
  api,
  build,
  type Server,
  signIn,
  start,
  temporaryDirectory,
  usedDirectory,
  waitUntil,
} from "../../e2e/parley.ts";
import { ADDRESS, ProxyClient } from "./client.ts";
import { HELD_MS, HOST, makeCertificate, startProxy } from "./programs.ts";

beforeAll(build);

const ADA = "ada@demo.test";
const ORIGIN = `https://${HOST}`;
const MIB = 2 ** 20;
const FILE = Buffer.alloc(24 * MIB, "parley ");

interface Behind {
  server: Server;
  client: ProxyClient;
  /** Ada's, by her API key. */
  authorization: string;
}

async function startBehind(name: "nginx" | "haproxy" | "caddy"): Promise<Behind> {
  const dir = temporaryDirectory();
  const certificate = makeCertificate(dir);
  const server = await start(["demo"], {
    env: {
      PARLEY_DATA_DIR: await usedDirectory("demo"),
      PARLEY_PUBLIC_URL: ORIGIN,
      PARLEY_TRUSTED_PROXIES: "127.0.0.1",
    },
  });
  const authorization = `Basic ${Buffer.from(await signIn(server, ADA)).toString("base64")}`;
  const port = await startProxy(name, { dir, certificate, upstream: new URL(server.url).host });
  return { server, authorization, client: new ProxyClient(port, certificate.cert) };
}

test.each(["nginx", "haproxy", "caddy"] as const)("people reach a server behind %s", async (name) => {
  const behind = await startBehind(name);
  // The poll waits while the others are tried.
  const all = [holdPoll, tryOrigins, tryForgedHeaders, tryUpload, tryCutUpload];
  const ends = await Promise.allSettled(all.map((one) => one(behind)));
  expect(ends.filter(({ status }) => status === "rejected")).toEqual([]);
});

/** A poll waits for longer than the proxy by itself would, and then gets its event. */
async function holdPoll({ client, authorization, server }: Behind): Promise<void> {
  const headers = { authorization };
  const registered = await client.ask("POST", "/api/v1/register?event_types=%5B%22message%22%5D", {
    headers,
  });
  const { queue_id, last_event_id } = JSON.parse(registered.body);
  const query = new URLSearchParams({ queue_id, last_event_id });
  const poll = client.ask("GET", `/api/v1/events?${query}`, { headers });
  await sleep(HELD_MS);
  const message = { type: "channel", to: "general", topic: "proxies", content: "Still there?" };
  await api(server, "POST", "/messages", message, Buffer.from(authorization.slice(6), "base64").toString());
  const { status, body } = await poll;
  expect([status, body]).toEqual([200, expect.stringContaining("Still there?")]);
}

function signInFrom(client: ProxyClient, origin: string, headers: Record<string, string> = {}) {
  return client.ask("POST", "/api/v1/session", {
    headers: {
      origin,
      "content-type": "application/x-www-form-urlencoded",
      "x-parley-client": "Test",
      "user-agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0",
      ...headers,
    },
    body: new URLSearchParams({ username: ADA, password: DEMO_PASSWORD }).toString(),
  });
}

/** Sign-in works from the organization's own page alone, and its cookie is one for https. */
async function tryOrigins({ client }: Behind): Promise<void> {
  const own = await signInFrom(client, ORIGIN);
  expect([own.status, own.headers["set-cookie"]?.[0]]).toEqual([200, expect.stringMatching(/^__Host-/)]);
  for (const origin of ["https://evil.example", `http://${HOST}`]) {
    expect((await signInFrom(client, origin)).status).toBe(403);
  }
}

/** What a client says of itself counts for nothing. */
async function tryForgedHeaders({ client, authorization }: Behind): Promise<void> {
  const forged = {
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "http",
  };
  const signedIn = await signInFrom(client, ORIGIN, forged);
  expect(signedIn.headers["set-cookie"]?.[0]).toMatch(/^__Host-/);
  const headers = { authorization, ...forged };
  const { body } = await client.ask("GET", "/api/v1/sessions", { headers });
  const networks = JSON.parse(body).sessions.map((session: { network: string }) => session.network);
  expect(new Set(networks)).toEqual(new Set([ADDRESS]));
  const settings = await client.ask("GET", "/api/v1/server_settings", { headers });
  expect(JSON.parse(settings.body).realm_url).toBe(ORIGIN);
  // Caddy answers hosts that are not its own by itself, with an empty page. The others ask the server.
  const foreign = await client.ask("GET", "/api/v1/server_settings", { headers: { host: "evil.example" } });
  expect(foreign.body).not.toContain("realm_url");
}

async function tryUpload({ client, authorization }: Behind): Promise<void> {
  const boundary = "a-boundary-of-the-test";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="large.txt"\r\n\r\n`;
  const uploaded = await client.ask("POST", "/api/v1/user_uploads", {
    headers: { authorization, "content-type": `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), FILE, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
  expect([uploaded.status, uploaded.body]).toEqual([200, expect.stringContaining("/user_uploads/")]);
  const { url } = JSON.parse(uploaded.body);
  const read = await client.ask("GET", url, { headers: { authorization } });
  expect([read.status, read.body.length]).toEqual([200, FILE.length]);
}

/** The connection ends within an upload, and the client goes on with what the server has. */
async function tryCutUpload({ client, authorization }: Behind): Promise<void> {
  const base = { authorization, "tus-resumable": "1.0.0" };
  const created = await client.ask("POST", "/api/v1/tus", {
    headers: {
      ...base,
      "upload-length": `${FILE.length}`,
      "upload-metadata": `filename ${Buffer.from("cut.txt").toString("base64")}`,
    },
  });
  expect(created.status).toBe(201);
  const target = new URL(created.headers.location as string, ORIGIN).pathname;
  const parts = { ...base, "content-type": "application/offset+octet-stream" };
  const cut = client.open("PATCH", target, {
    ...parts,
    "upload-offset": "0",
    "content-length": `${FILE.length}`,
  });
  cut.on("error", () => {});
  cut.write(FILE.subarray(0, 4 * MIB));
  const offset = async () =>
    Number((await client.ask("HEAD", target, { headers: base })).headers["upload-offset"]);
  await new Promise((resolve) => cut.write(FILE.subarray(4 * MIB, 5 * MIB), resolve));
  await waitUntil(async () => (await offset()) > 0, "the server has some of it");
  cut.destroy();
  // As clients do: what the server has may still grow for a moment.
  await waitUntil(async () => {
    const arrived = await offset();
    expect(arrived).toBeLessThanOrEqual(5 * MIB);
    const headers = { ...parts, "upload-offset": `${arrived}` };
    const rest = await client.ask("PATCH", target, { headers, body: FILE.subarray(arrived) });
    // Another offset by now, or the first request has not ended. Clients try both again.
    return rest.status !== 409 && rest.status !== 423;
  }, "the server has all that it will get of the first request");
  expect(await offset()).toBe(FILE.length);
}
