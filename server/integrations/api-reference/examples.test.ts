/**
 * The example of every endpoint, as "Try it out" sends it, succeeds for Ada in a demo that has just been
 * started. They are sent in an order in which each finds what it needs: what removes something comes late.
 */

import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Endpoint } from "../../../api/endpoint.ts";
import { endpoints } from "../../../api/index.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import { sampleBody } from "../../../test/harness/multipart.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { createServer, openServices } from "../../app.ts";
import { readConfig } from "../../config.ts";
import type { Services } from "../../services.ts";
import { people } from "../../website/demo/cast.ts";
import { createDemo } from "../../website/demo/create-demo.ts";
import { openApiDocument } from "./openapi.ts";

let database: TestDatabase;
let services: Services;
let app: FastifyInstance;
let authorization: string;
const files = join(tmpdir(), `parley-files-${randomUUID()}`);
beforeAll(async () => {
  database = await createTestDatabase();
  const config = readConfig({
    PARLEY_ENV: "development",
    PARLEY_RATE_LIMITS: "off",
    PARLEY_FILES: files,
  });
  services = await openServices(config, pino({ level: "silent" }), database.connection);
  await createDemo(services, "localhost");
  app = await createServer(services);
  const { email } = people.ada;
  const answer = await send("POST", "/dev_fetch_api_key", { username: email });
  authorization = `Basic ${Buffer.from(`${email}:${answer.api_key}`).toString("base64")}`;
}, 60_000);
afterAll(async () => {
  await app.close();
  await services.database.close();
  await database.drop();
  await rm(files, { recursive: true, force: true });
});

/**
 * Some need the id of a queue, which nobody can know before. One would end Ada's account, and one needs a
 * proof, which nobody in the demo has. Others need a push service or a key for tokens, which the server does
 * not have. Sessions are for pages of the organization. Codes and passkeys are those of a device, and
 * identities those of a provider.
 */
const excluded = [
  "getEvents",
  "deleteQueue",
  "deactivateOwnUser",
  "eraseUser",
  "sendTestNotification",
  "sendEncryptedTestNotification",
  "registerPushDevice",
  "fetchApiKeyByToken",
  "startSession",
  "endSession",
  "endSessionById",
  "startPasskeySignIn",
  "startPasskeySession",
  "confirmTotp",
  "removeTotp",
  "renewRecoveryCodes",
  "addPasskey",
  "updatePasskey",
  "removePasskey",
  "removeIdentity",
  // Bots alone have a storage.
  "getBotStorage",
  "updateBotStorage",
  "removeBotStorage",
  // Nobody can know the path of a file before it is uploaded.
  "getTemporaryFileUrl",
];

/** What stands earlier is sent earlier; what stands nowhere is sent by its method. */
const first = ["reportPresence", "createProfileField", "addLinkifier", "addPlayground", "addDomain"];
const last = [
  "deleteProfileField",
  "deleteMessage",
  "deleteTopic",
  "archiveChannel",
  "deleteUserGroup",
  "deactivateUserGroup",
  "deactivateUser",
];
const methods = ["GET", "PATCH", "PUT", "POST", "DELETE"];

function rankOf({ name, method }: Endpoint): number {
  if (name === "reactivateUser") return 100;
  // Ada's key is another one from then on.
  if (name === "regenerateApiKey") return 101;
  if (last.includes(name)) return 50 + last.indexOf(name);
  return first.includes(name) ? -1 : methods.indexOf(method);
}

const ordered = endpoints
  .filter(({ name }) => !excluded.includes(name))
  .sort((a, b) => rankOf(a) - rankOf(b));

test.each(ordered.map((endpoint) => [endpoint.name, endpoint] as const))(
  "the example of %s succeeds in the demo",
  async (_, endpoint) => {
    const { method, url, body } = requestOf(endpoint);
    expect(await send(method, url, body, endpoint.files)).toMatchObject({ result: "success" });
    // A server makes the file at once, so that it can be deleted.
    if (["createExport", "createOwnDataCopy"].includes(endpoint.name)) await runJobs(services);
  },
);

interface Shown {
  name: string;
  in: string;
  example?: unknown;
  content?: { "application/json": { example?: unknown } };
}

interface Operation {
  parameters?: Shown[];
  requestBody?: { content: { "application/json"?: { example: object } } };
}

/** The request that the OpenAPI document shows. */
function requestOf(endpoint: Endpoint): { method: string; url: string; body: object | undefined } {
  const { paths } = openApiDocument([endpoint]) as { paths: Record<string, Record<string, Operation>> };
  const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()] as Operation;
  let url = endpoint.path;
  const query = new URLSearchParams();
  for (const shown of operation.parameters ?? []) {
    const value = shown.example ?? shown.content?.["application/json"].example;
    if (value === undefined) continue;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (shown.in === "path") url = url.replace(`{${shown.name}}`, encodeURIComponent(text));
    else query.set(shown.name, text);
  }
  const body = operation.requestBody?.content["application/json"]?.example;
  return { method: endpoint.method, url: `${url}?${query}`, body };
}

async function send(
  method: string,
  url: string,
  body?: object,
  files?: Endpoint["files"],
): Promise<{ result: string; api_key?: string }> {
  // The examples of calls with files have no other fields in their bodies.
  const form = files && sampleBody({ files }, new URLSearchParams());
  const response = await app.inject({
    method: method as "GET",
    url: `/api/v1${url}`,
    headers: {
      host: "localhost",
      ...(authorization === undefined ? {} : { authorization }),
      ...(body ? { "content-type": "application/json" } : form?.headers),
    },
    ...(body ? { payload: JSON.stringify(body) } : form && { payload: form.payload }),
  });
  return response.json();
}
