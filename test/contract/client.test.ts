/**
 * Every endpoint of the contract, called once through the client with its sample call. An endpoint that the
 * client can't express fails here. The owner calls, or a bot, each time in a world where everything named
 * exists.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Endpoint, SampleIds } from "../../api/endpoint.ts";
import { endpoints } from "../../api/index.ts";
import { registerQueue } from "../../api/integrations/real-time.ts";
import { CallError } from "../../client/call-error.ts";
import { type Client, createClient } from "../../client/client.ts";
import type { CallOptions, Fetch } from "../../client/connection.ts";
import { ownPageHeaders } from "../harness/own-page-headers.ts";
import { withCastPassword } from "../harness/proofs.ts";
import { validateReply } from "../harness/validate-reply.ts";
import { buildFixture, type Copy, type Fixture } from "../permissions/fixture.ts";
import type { Role } from "../permissions/people.ts";
import { arrangements } from "../permissions/samples.ts";
import { refusedSamples } from "./refused-samples.ts";

let fixture: Fixture;
/** Shared by the calls that change nothing. */
let shared: Copy;

beforeAll(async () => {
  fixture = await buildFixture();
  shared = await fixture.open();
}, 120_000);
afterAll(async () => {
  await shared?.close();
  await fixture?.close();
});

test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
  "%s",
  async (name, endpoint) => {
    const arrangement = arrangements[name];
    const isShared = endpoint.method === "GET" && arrangement === undefined;
    const copy = isShared ? shared : await fixture.open();
    try {
      if (arrangement) await copy.services.database.query(arrangement);
      const queue = await connect(copy, registerQueue as Endpoint).registerQueue?.({
        event_types: ["message"],
      });
      const ids: SampleIds = {
        ...fixture.thingsOf("owner"),
        queueId: String(queue?.queue_id),
        lastEventId: Number(queue?.last_event_id),
        freshName: "fresh1",
      };
      const call = connect(copy, endpoint, callerOf(endpoint))[name]?.(
        refusedSamples[name] ? endpoint.sample(ids) : withCastPassword(endpoint, endpoint.sample(ids)),
        optionsOf(endpoint),
      );
      expect(await call?.then(() => "done", errorOf)).toBe(refusedSamples[name] ?? "done");
    } finally {
      if (!isShared) await copy.close();
    }
  },
  60_000,
);

/** Bots alone have a storage. */
function callerOf({ path }: Endpoint): Role {
  return path === "/bot_storage" ? "bot" : "owner";
}

/** A client without a socket. Replies must be as this endpoint declares. */
function connect({ app }: Copy, endpoint: Endpoint, caller: Role = "owner"): Client {
  const { host = "", authorization = "" } = fixture.headersOf(caller);
  const [email, apiKey] = Buffer.from(authorization.slice("Basic ".length), "base64").toString().split(":");
  const send: Fetch = async (url, { headers, body }) => {
    // It writes the form, with its type, as `fetch` does.
    const sent = body && new Response(body);
    const type = sent ? { "content-type": sent.headers.get("content-type") ?? "" } : {};
    const own = endpoint.startsSession ? ownPageHeaders : {};
    const request = { method: endpoint.method, url, headers: { ...headers, ...type, ...own, host } };
    const payload = sent && Buffer.from(await sent.arrayBuffer());
    const response = await app.inject({ ...request, ...(payload ? { payload } : {}) });
    validateReply(endpoint, response.json(), response.statusCode);
    return {
      status: response.statusCode,
      headers: { get: (name) => String(response.headers[name] ?? "") || null },
      text: async () => response.body,
    };
  };
  return createClient({ site: "", email, apiKey, fetch: send });
}

/** The file that goes with the sample call. */
function optionsOf({ files }: Endpoint): CallOptions {
  if (!files) return {};
  const { name, contentType, base64 } = files.sample;
  return { files: [{ name, contentType, content: Buffer.from(base64, "base64") }] };
}

function errorOf(error: unknown): string {
  if (!(error instanceof CallError)) throw error;
  return (error.failure.kind === "api" && error.failure.code) || `${error.message} ${error.cause ?? ""}`;
}
