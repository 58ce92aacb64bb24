import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import {
  ASKED_HOST_HEADER,
  answerInstallation,
  INSTALLATION_HEADER,
} from "../../server/platform/crypto/installation-proof.ts";
import { Keyring } from "../../server/platform/crypto/keyring.ts";

import { checkPublicAddress } from "./public-check.ts";

const SECRET = "a secret of the tests, long enough";
/** Stands for the answer to what was asked. */
const ANSWER = "answer";
/** Stands for the proof that the request arrived under this name. */
const ASKED_AS = "asked as ";
const own = { [INSTALLATION_HEADER]: ANSWER };
const askedAs = (host: string) => ({ ...own, [ASKED_HOST_HEADER]: `${ASKED_AS}${host}` });
const unknownHost = (host: string) => `{"msg":"No organization is served under the host name '${host}'."}`;

interface Answers {
  health: [status: number, headers?: Record<string, string>];
  settings?: [status: number, text?: string];
  /** The host name in the public address. */
  name?: string;
}

/** What stands at the public address. */
async function check({ health, settings = [200], name = "127.0.0.1" }: Answers) {
  const server = http.createServer(({ url, headers }, response) => {
    const [status, given = {}] = health;
    const question = headers[INSTALLATION_HEADER.toLowerCase()];
    const answerTo = (host?: string) => answerInstallation(new Keyring(SECRET), question, host);
    const proofOf = (text: string) => {
      if (text === ANSWER) return answerTo()?.answer ?? "";
      if (text.startsWith(ASKED_AS)) return answerTo(text.slice(ASKED_AS.length))?.hostAnswer ?? "";
      return text;
    };
    const sent = Object.entries(given).map(([name, text]) => [name, proofOf(text)]);
    if (url === "/health") response.writeHead(status, Object.fromEntries(sent)).end("{}");
    else response.writeHead(settings[0]).end(settings[1]);
  });
  await new Promise<void>((resolve) => server.listen(0, name, resolve));
  onTestFinished(() => void server.close());
  const publicUrl = `http://${name}:${(server.address() as AddressInfo).port}`;
  return checkPublicAddress(readConfig({ PARLEY_PUBLIC_URL: publicUrl, PARLEY_SECRET: SECRET }));
}

const mark = { passed: { hasPassed: true }, warned: { isWarning: true }, failed: { hasPassed: false } };

test.each<[string, Answers, keyof typeof mark, RegExp]>([
  ["this server", { health: [200, own] }, "passed", /leads to this installation/],
  ["another server", { health: [200, { [INSTALLATION_HEADER]: "other" }] }, "failed", /another server/],
  ["something else", { health: [404] }, "failed", /another server/],
  ["a redirect", { health: [301, { location: "https://chat.example.com/" }] }, "failed", /redirects/],
  ["a proxy alone", { health: [502] }, "warned", /status 502/],
  [
    "a proxy that hides the host",
    { health: [200, own], settings: [404, unknownHost("backend")] },
    "failed",
    /under another host name/,
  ],
  [
    "a server without an organization",
    { health: [200, own], settings: [404, unknownHost("127.0.0.1")] },
    "warned",
    /no organization yet/,
  ],
  ["this server under its name", { health: [200, askedAs("127.0.0.1")] }, "passed", /leads to this/],
  [
    "a proxy that calls the server by a loopback name",
    { health: [200, askedAs("127.0.0.1")], name: "127.0.0.2" },
    "failed",
    /under another host name/,
  ],
  ["a server that is ill", { health: [200, own], settings: [503] }, "warned", /status 503/],
])("doctor finds %s at the public address", async (_name, answers, verdict, text) => {
  const finding = await check(answers);
  expect(finding).toMatchObject(mark[verdict]);
  expect(finding?.text).toMatch(text);
});

test("doctor doubts an address that it can't reach, and asks none without a public address", async () => {
  const config = readConfig({ PARLEY_PUBLIC_URL: "http://127.0.0.1:1", PARLEY_SECRET: SECRET });
  const finding = await checkPublicAddress(config);
  expect(finding).toMatchObject({ isWarning: true, text: expect.stringContaining("can't be reached") });
  expect(await checkPublicAddress(readConfig({ PARLEY_SECRET: SECRET }))).toBeUndefined();
});
