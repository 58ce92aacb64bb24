import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { sleep } from "../harness/figures.ts";
import type { Person } from "../harness/fixture.ts";
import type { Ready } from "../harness/parley-server.ts";
import { addCleanUp } from "../harness/processes.ts";
import { authorization } from "../harness/requests.ts";
import type { Call, Who, World } from "./verbs.ts";

/** More than the followers of the log need until they look again. */
const REST_MS = 2_500;

export const PASSWORD = "correct horse battery";

/** The world of a benchmark's server: its first two people. */
export async function openWorld({ port, channelId, people }: Ready): Promise<World> {
  const [caller, other] = people as [Person, Person];
  const url = `http://127.0.0.1:${port}`;
  const image = await sharp({ create: { width: 40, height: 30, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  return {
    channelId,
    otherId: other.id,
    login: { username: caller.email, password: PASSWORD },
    programUrl: await startProgram(),
    async ask(call) {
      const { url: path, headers, body } = partsOf(call, people);
      return succeed(
        await fetch(`${url}${path}`, { method: call.method, headers, ...(body !== undefined && { body }) }),
      );
    },
    async uploadPicture() {
      const body = new FormData();
      body.append("file", new Blob([new Uint8Array(image)]), "soup.png");
      const headers = { authorization: authorization(caller), host: "localhost" };
      const answer = await succeed(
        await fetch(`${url}/api/v1/user_uploads`, { method: "POST", headers, body }),
      );
      return answer.url;
    },
    rest: () => sleep(REST_MS),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the caller knows the answer.
async function succeed(response: Response): Promise<any> {
  const text = await response.text();
  if (!response.ok) throw new Error(`a call was answered with ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** A program of a bot that has nothing to say. */
async function startProgram(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end('{"response_not_required": true}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  addCleanUp(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** The call as it goes over the wire. */
export function requestOf(call: Call, people: readonly Person[]): string {
  const { url, headers, body = "" } = partsOf(call, people);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = call.method === "GET" ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${call.method} ${url} HTTP/1.1\r\n${lines.join("")}${length}\r\n${body}`;
}

function partsOf({ as, method, path, params }: Call, people: readonly Person[]) {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  const headers = { host: "localhost", "user-agent": "bench/1", ...credentials(as, people) };
  if (method === "GET") return { url: `/api/v1${path}?${form}`, headers, body: undefined };
  return {
    url: `/api/v1${path}`,
    headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
  };
}

function credentials(as: Who, [caller, other]: readonly Person[]): Record<string, string> {
  // What starts a session must come from a page of this server.
  if (as === "nobody") return { "sec-fetch-site": "same-origin", "x-parley-client": "ParleyBench" };
  return { authorization: authorization((as === "caller" ? caller : other) as Person) };
}
