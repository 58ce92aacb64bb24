/**
 * The Model Context Protocol (MCP) over HTTP, for assistants. A POST brings one message of JSON-RPC, and its
 * response is JSON. There are no sessions and no streams, so nothing of a caller stays in memory.
 *
 * A request has the path of a call: host, credentials, limits, body. Only then the official SDK is loaded,
 * which takes 25 MB and a second. It reads the message and writes the response. It has no part in HTTP.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { Server } from "@modelcontextprotocol/server";
import type { FastifyInstance } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import { ForeignAnswer } from "./answer.ts";
import type { Api } from "./api.ts";
import type { Call } from "./handler.ts";
import type { CallStats } from "./http-stats.ts";
import { JsonFields } from "./json-body.ts";
import type { Operation } from "./operation.ts";
import { unreachable } from "./unreachable.ts";

const PATH = "/mcp";
const NAME = "mcp";
/** Enough for the longest text of a message, each character written as an escape of twelve bytes. */
const MAX_BODY_BYTES = 128 * 1024;
/** The SDK walks through a message several times, slowly: 100,000 values would take it a second. */
const MAX_VALUES = 1000;

/**
 * Makes the server for one request. It passes to `fail` what is thrown and is no error of the API: the
 * request then fails as a call does, and the client learns nothing of it.
 */
export type OpenMcpServer = (call: Call<unknown>, fail: (error: unknown) => void) => Promise<Server>;

export function addMcp(app: FastifyInstance, api: Api, open: OpenMcpServer): void {
  const stats = api.stats.callsOf(NAME);
  app.route({
    method: "POST",
    url: PATH,
    onRequest: (request, reply) => {
      const { headers } = request;
      if (isForeign(headers)) api.refuse(request, reply, new ApiError(errors.foreignOrigin));
      else api.serve(operationOf(headers, stats, open), request, reply);
    },
    handler: unreachable,
  });
  // Without sessions there is no stream to open with a GET, and nothing to end with a DELETE.
  api.pathMethods.add(PATH, ["POST"]);
}

/**
 * Whether a page of another site sent the request. A page whose own host name was changed to this server's
 * address passes here, but no organization is served under that name.
 */
function isForeign({ origin, host }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return false;
  const [, sender] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  return sender === undefined || sender.toLowerCase() !== host?.toLowerCase();
}

function operationOf(headers: IncomingHttpHeaders, stats: CallStats, open: OpenMcpServer): Operation {
  return {
    name: NAME,
    access: "user",
    // What a tool sends says that it came this way, whatever the program calls itself.
    decoder: {
      decode: (_path, _query, body) => ({ params: messageIn(body), unsupported: undefined, client: NAME }),
    },
    handle: (call: Call<unknown>) => answer(call, headers, open),
    isForWriteOnly: false,
    isForSecondStepSetup: false,
    holds: false,
    compresses: false,
    isStoredFile: false,
    files: undefined,
    isOff: false,
    outlivesOrganization: false,
    isCheckedAtCommit: false,
    changes: true,
    readsRawBody: false,
    streamsBody: false,
    takesKeyInQuery: false,
    takesBearer: true,
    takesCookie: false,
    startsSession: false,
    maxBodyBytes: MAX_BODY_BYTES,
    stats,
  };
}

type Message = Record<string, unknown>;

/** A list of messages is no object, and was refused: each would count as no call. */
function messageIn(body: unknown): Message {
  if (!(body instanceof JsonFields)) return {};
  const message = Object.fromEntries(body.members);
  if (valuesLeft(message, MAX_VALUES) < 0) throw new ApiError(errors.bodyTooLarge);
  return { message };
}

/** How many more values there may be; negative if there are too many. The parser bounded the depth. */
function valuesLeft(value: unknown, most: number): number {
  let left = most - 1;
  if (typeof value !== "object" || value === null) return left;
  for (const key in value) {
    if (left < 0) return left;
    left = valuesLeft(value[key as keyof typeof value], left);
  }
  return left;
}

async function answer(
  call: Call<unknown>,
  headers: IncomingHttpHeaders,
  open: OpenMcpServer,
): Promise<ForeignAnswer> {
  const { WebStandardStreamableHTTPServerTransport: Transport } = await import(
    "@modelcontextprotocol/server"
  );
  const failures: unknown[] = [];
  const server = await open(call, (error) => failures.push(error));
  const transport = new Transport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const request = new Request(call.baseUrl + PATH, { method: "POST", headers: protocolHeaders(headers) });
    const { message } = call.params as Message;
    const response = await transport.handleRequest(request, { parsedBody: message });
    const json = await response.text();
    if (failures.length > 0) throw failures[0];
    return new ForeignAnswer(response.status, json === "" ? [] : json);
  } finally {
    await server.close();
  }
}

/** Those that the protocol looks at. Credentials are none of them. */
function protocolHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ["accept", "content-type", "mcp-protocol-version"];
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, `${headers[name]}`]] : [])));
}
