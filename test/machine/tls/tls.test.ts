import { copyFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import tls from "node:tls";
import { beforeAll, describe, expect, test } from "vitest";
import {
  build,
  call,
  freePort,
  run,
  start,
  temporaryDirectory,
  usedDirectory,
  waitUntil,
} from "../../e2e/parley.ts";
import { makeCertificate, type Pair, read, startAuthority } from "./certificates.ts";

beforeAll(build);

interface Answer {
  status: number;
  location: string | undefined;
  text: string;
}

/** Asks over a new connection that trusts one authority alone. Resolves with the certificate's number too. */
async function ask(
  port: string,
  host: string,
  trusted: string,
  place = "/health",
): Promise<Answer & { serial: string }> {
  const socket = await connect(port, host, trusted);
  const serial = socket.getPeerCertificate().serialNumber;
  return { ...(await fetchOver({ createConnection: () => socket }, host, place)), serial };
}

function connect(port: string, host: string, trusted: string): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ port: Number(port), host: "127.0.0.1", servername: host, ca: trusted });
    socket.once("secureConnect", () => resolve(socket)).once("error", reject);
  });
}

function fetchOver(options: http.RequestOptions, host: string, place: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.get(
      { ...options, path: place, headers: { host, connection: "close" } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, location: response.headers.location, text }),
        );
      },
    );
    request.on("error", reject);
  });
}

interface Place {
  env: Record<string, string>;
  dir: string;
  pair: Pair;
  plain: string;
}

async function place(host = "localhost"): Promise<Place> {
  const dir = temporaryDirectory();
  const pair = makeCertificate(dir, "served", host);
  const [port, plain] = [String(await freePort()), String(await freePort())];
  const env = {
    PARLEY_DATA_DIR: await usedDirectory("demo"),
    PARLEY_ENV: "development",
    PARLEY_PORT: port,
    PARLEY_PUBLIC_URL: `https://${host}:${port}`,
    PARLEY_TLS: `file:${pair.certificate},${pair.key}`,
    PARLEY_HTTP_PORT: plain,
    NODE_EXTRA_CA_CERTS: pair.certificate,
  };
  return { env, dir, pair, plain };
}

describe.each([
  ["one process", []],
  ["workers", ["--workers", "2"]],
])("a server of %s with a certificate in files", (_name, words) => {
  test("speaks https, leads people there, and serves new files without a start", async () => {
    const { env, dir, pair, plain } = await place();
    const server = await start(["serve", ...words], { env });
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
    const trusted = read(pair.certificate);
    const first = await ask(server.port, "localhost", trusted);
    expect([first.status, first.text]).toEqual([200, '{"status":"ok"}']);
    const led = await fetchOver({ port: plain, host: "127.0.0.1" }, "evil.test", "/#narrow?a=b");
    expect([led.status, led.location]).toEqual([308, `${env.PARLEY_PUBLIC_URL}/#narrow?a=b`]);
    const absent = "/.well-known/acme-challenge/made-up";
    expect((await fetchOver({ port: plain, host: "127.0.0.1" }, "localhost", absent)).status).toBe(404);

    // Half of a new pair: the old one is served on.
    const next = makeCertificate(dir, "next", "localhost");
    copyFileSync(next.key, pair.key);
    await server.prints(/The key in \S+ is not that of the certificate/);
    expect((await ask(server.port, "localhost", trusted)).serial).toBe(first.serial);
    const held = await connect(server.port, "localhost", trusted);
    copyFileSync(next.certificate, pair.certificate);
    const both = trusted + read(next.certificate);
    // With workers, every process has to have seen it.
    let same = 0;
    await waitUntil(async () => {
      same = (await ask(server.port, "localhost", both)).serial === first.serial ? 0 : same + 1;
      return same >= 8;
    }, "all processes serve the new certificate");
    expect((await fetchOver({ createConnection: () => held }, "localhost", "/health")).status).toBe(200);
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});

test("commands of the machine call people's address, and doctor says how long the certificate holds", async () => {
  const { env } = await place();
  const server = await start(["demo"], { env });
  const sent = await call(["send", "--as", "ada@demo.test", "general", "tls", "Hello"], { env });
  expect(sent).toMatchObject({ code: 0, stderr: "" });
  expect((await call(["doctor"], { env })).stdout).toMatch(/^✓ The certificate holds until \d{4}-/m);
  await server.stop();
});

test.each<[string, (place: Place) => Record<string, string>, RegExp]>([
  [
    "a file that is not there",
    ({ pair }) => ({ PARLEY_TLS: `file:/nowhere/chat.crt,${pair.key}` }),
    /^There is no file \/nowhere\/chat\.crt, which PARLEY_TLS names\. \(P\d+\)\n$/,
  ],
  [
    "a key of another certificate",
    ({ dir, pair }) => {
      const other = makeCertificate(dir, "other", "localhost");
      return { PARLEY_TLS: `file:${pair.certificate},${other.key}` };
    },
    /^The key in \S+other\.key is not that of the certificate in \S+served\.crt\. Name two files in PARLEY_TLS .* for this key\. \(P110\)\n$/,
  ],
  [
    "something else",
    ({ dir, pair }) => {
      writeFileSync(path.join(dir, "notes.txt"), "no certificate");
      return { PARLEY_TLS: `file:${path.join(dir, "notes.txt")},${pair.key}` };
    },
    /does not have a certificate in PEM form\. \(P110\)\n$/,
  ],
  [
    "a public address without https",
    ({ env }) => ({ PARLEY_PUBLIC_URL: `http://localhost:${env.PARLEY_PORT}` }),
    /^PARLEY_TLS needs PARLEY_PUBLIC_URL with the address for people/,
  ],
  ["another form", () => ({ PARLEY_TLS: "on" }), /^PARLEY_TLS: Write file:CERTIFICATE,KEY .* or acme:MAIL/],
  [
    "one port for both",
    ({ env }) => ({ PARLEY_HTTP_PORT: env.PARLEY_PORT as string }),
    /^PARLEY_HTTP_PORT and PARLEY_PORT are the same\./,
  ],
])("a start with %s is refused in a sentence", async (_name, change, sentence) => {
  const given = await place();
  const ended = await call(["serve"], { env: { ...given.env, ...change(given) } });
  expect(ended.code).not.toBe(0);
  expect(ended.stderr).toMatch(sentence);
});

const HOST = "chat.example.com";

test("a certificate comes from an authority, and is renewed in time", async () => {
  const { env, dir } = await place(HOST);
  const { directory, trusted, httpPort } = await startAuthority(dir, 24);
  Object.assign(env, {
    PARLEY_TLS: `acme:ops@example.com,${directory}`,
    PARLEY_HTTP_PORT: String(httpPort),
    NODE_EXTRA_CA_CERTS: trusted,
  });
  const server = await start(["serve"], { env });
  // The authority's own certificate is not known to clients of this test: what counts is for whom it is.
  const served = () =>
    new Promise<tls.PeerCertificate | undefined>((resolve) => {
      const socket = tls.connect({
        port: Number(server.port),
        host: "127.0.0.1",
        servername: HOST,
        rejectUnauthorized: false,
      });
      socket
        .once("secureConnect", () => {
          resolve(socket.getPeerCertificate());
          socket.destroy();
        })
        .once("error", () => resolve(undefined));
    });
  await waitUntil(async () => (await served()) !== undefined, "there is a certificate", 30_000);
  const first = await served();
  expect(first?.subjectaltname).toBe(`DNS:${HOST}`);
  await waitUntil(
    async () => (await served())?.serialNumber !== first?.serialNumber,
    "it is renewed before it ends",
    60_000,
  );
  expect(server.stderr()).not.toContain("gave no certificate");
  await server.stop();
});

test("an authority that can't reach the server ends nothing: the log says what it answered", async () => {
  const { env, dir } = await place(HOST);
  const { directory, trusted } = await startAuthority(dir, 3600);
  Object.assign(env, {
    PARLEY_TLS: `acme:ops@example.com,${directory}`,
    NODE_EXTRA_CA_CERTS: trusted,
  });
  const server = run(["serve"], { env });
  await server.prints(
    /gave no certificate for chat\.example\.com: .*Parley tries again in 15 minutes\. Until/,
  );
  await server.prints(/^listening on https:/m);
  const doctor = await call(["doctor"], { env });
  expect(doctor.stdout).toMatch(/^! There is no certificate yet\. \(P\d+\)$/m);
  server.child.kill("SIGTERM");
  expect(await server.end).toMatchObject({ code: 0 });
});
