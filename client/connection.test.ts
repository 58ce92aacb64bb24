import { Type } from "typebox";
import { afterEach, describe, expect, test } from "vitest";
import { endpoint, inPath, optional, required } from "../api/endpoint.ts";
import { errors } from "../api/errors.ts";
import { answer, type Received, startTestServer, type TestServer } from "../test/harness/small-server.ts";
import { CallError } from "./call-error.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";

const about = {
  subject: "Toys",
  access: "user",
  summary: "A toy",
  description: "A toy.",
  errors: [],
  emits: [],
} as const;
const described = { description: "A field." };

const send = endpoint({
  ...about,
  name: "send",
  method: "POST",
  path: "/toys/{toy}/send",
  parameters: {
    toy: inPath(Type.String(), described),
    content: required(Type.String(), described),
    to: required(Type.Union([Type.String(), Type.Integer(), Type.Array(Type.String())]), described),
    isLoud: optional(Type.Boolean(), described),
    folder: optional(Type.Union([Type.Integer(), Type.Null()]), described),
  },
  reply: { id: Type.Integer(described) },
  example: { parameters: { toy: "a", content: "b", to: "c" }, reply: { id: 1 } },
  sample: () => ({ toy: "a", content: "b", to: "c" }),
});

const list = endpoint({
  ...about,
  name: "list",
  method: "GET",
  path: "/toys",
  parameters: { ids: optional(Type.Array(Type.Integer()), described) },
  reply: { toys: Type.Array(Type.String(), described) },
  example: { parameters: {}, reply: { toys: [] } },
  sample: () => ({}),
});

let server: TestServer;
afterEach(() => server.close());

async function connect(respond: (received: Received) => void, options: Partial<ConnectionOptions> = {}) {
  server = await startTestServer(respond);
  return new Connection({ site: server.site, backoff: { firstMs: 1, longestMs: 2 }, ...options });
}

async function failureOf(call: Promise<unknown>): Promise<CallError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CallError);
  return error as CallError;
}

describe("a request", () => {
  test("each parameter is sent in its encoding, and missing ones are left out", async () => {
    const connection = await connect((received) => answer(received, { id: 7 }));
    const reply = await connection.call(send, {
      toy: "a/b c",
      content: "12 & 日本",
      to: ["x", "y"],
      isLoud: true,
      folder: null,
    });
    expect(reply.id).toBe(7);
    const [received] = server.received;
    expect(received?.path).toBe("/api/v1/toys/a%2Fb%20c/send");
    expect(received?.fields).toEqual({
      content: "12 & 日本",
      to: '["x","y"]',
      isLoud: "true",
      folder: "null",
    });
    expect(received?.request.headers["content-type"]).toMatch(/^application\/x-www-form-urlencoded/);
  });

  test("a text that looks like a number arrives as a text where both are allowed", async () => {
    const connection = await connect((received) => answer(received, { id: 7 }));
    await connection.call(send, { toy: "t", content: "5", to: "general" });
    await connection.call(send, { toy: "t", content: "5", to: "5" });
    await connection.call(send, { toy: "t", content: "5", to: 5 });
    expect(server.received.map(({ fields }) => fields.to)).toEqual(["general", '"5"', "5"]);
    expect(server.received.map(({ fields }) => fields.content)).toEqual(["5", "5", "5"]);
  });

  test("the parameters of a GET are sent in the query", async () => {
    const connection = await connect((received) => answer(received, { toys: ["ball"] }));
    expect((await connection.call(list, { ids: [1, 2] })).toys).toEqual(["ball"]);
    expect(server.received[0]?.request.url).toBe("/api/v1/toys?ids=%5B1%2C2%5D");
  });

  test("credentials go as Basic authorization in UTF-8, and only when there are any", async () => {
    const credentials = { email: "zoë@demo.test", apiKey: "k".repeat(32) };
    const connection = await connect((received) => answer(received, { toys: [] }), { credentials });
    await connection.call(list, {});
    await new Connection({ site: `${server.site}/` }).call(list, {});
    const sent = server.received.map(({ request }) => request.headers.authorization);
    expect(Buffer.from(sent[0]?.slice(6) ?? "", "base64").toString()).toBe(`zoë@demo.test:${"k".repeat(32)}`);
    expect(sent[1]).toBeUndefined();
  });
});

describe("how a call fails", () => {
  test("an error of the contract has its code, its status and its fields", async () => {
    const connection = await connect((received) =>
      answer(received, { code: "BAD_EVENT_QUEUE_ID", queue_id: "q" }, 400),
    );
    const error = await failureOf(connection.call(list, {}));
    expect(error.failure).toEqual({
      kind: "api",
      status: 400,
      code: "BAD_EVENT_QUEUE_ID",
      fields: { queue_id: "q" },
    });
    expect(error.is(errors.badEventQueue)).toBe(true);
    expect(error.is(errors.badNarrow)).toBe(false);
    expect(error.message).toBe("No.");
    expect(server.received).toHaveLength(1);
  });

  test("an error with the status of a success is one of the contract", async () => {
    const connection = await connect((received) =>
      answer(received, { result: "error", msg: "No.", code: "UNSUPPORTED_WEBHOOK_EVENT_TYPE" }),
    );
    const error = await failureOf(connection.call(send, { toy: "t", content: "", to: 1 }));
    expect(error.failure).toMatchObject({ kind: "api", status: 200, code: "UNSUPPORTED_WEBHOOK_EVENT_TYPE" });
    expect(error.isOutcomeUnknown).toBe(false);
  });

  test("a proxy's page instead of a response is a failure of kind http", async () => {
    const connection = await connect(({ response }) => response.writeHead(413).end("<html>too large</html>"));
    const error = await failureOf(connection.call(send, { toy: "t", content: "", to: 1 }));
    expect(error.failure).toEqual({ kind: "http", status: 413 });
  });

  test("a success in another shape than the API's is malformed", async () => {
    const connection = await connect(({ response }) => response.end("<html>Welcome to our network</html>"));
    const error = await failureOf(connection.call(list, {}, { retries: 0 }));
    expect(error.failure).toEqual({ kind: "malformed", status: 200 });
  });

  test("a response that does not arrive in time is a network failure", async () => {
    const connection = await connect(() => {});
    const error = await failureOf(connection.call(list, {}, { timeoutMs: 50, retries: 0 }));
    expect(error.failure).toEqual({ kind: "network", timedOut: true });
  });

  test("a failure of the network is told in the caller's words", async () => {
    const connection = await connect(() => {}, { timeoutMs: 50, describe: (problem) => `Oh: ${problem}` });
    const error = await failureOf(connection.call(list, {}));
    expect(error.message).toBe("Oh: timedOut");
  });

  test("a response that breaks off is a network failure", async () => {
    const connection = await connect(({ response }) => {
      response.writeHead(200, { "Content-Length": 100 }).write('{"result":', () => response.destroy());
    });
    const error = await failureOf(connection.call(list, {}, { retries: 0 }));
    expect(error.failure).toEqual({ kind: "network", timedOut: false });
  });

  test("a call that the caller cancels rejects with the caller's reason", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const connection = await connect(() => controller.abort(reason));
    await expect(connection.call(list, {}, { signal: controller.signal })).rejects.toBe(reason);
    await expect(connection.call(list, {}, { signal: controller.signal })).rejects.toBe(reason);
    expect(server.received).toHaveLength(1);
  });
});

describe("retries", () => {
  test("a GET is retried after temporary failures", async () => {
    const connection = await connect((received) => {
      const count = server.received.length;
      if (count === 1) received.response.destroy();
      else if (count === 2) answer(received, {}, 503);
      else answer(received, { toys: ["ball"] });
    });
    expect((await connection.call(list, {})).toys).toEqual(["ball"]);
    expect(server.received).toHaveLength(3);
  });

  test("a GET fails after its last retry", async () => {
    const connection = await connect((received) => answer(received, {}, 500), { retries: 1 });
    expect((await failureOf(connection.call(list, {}))).failure).toMatchObject({ kind: "api", status: 500 });
    expect(server.received).toHaveLength(2);
  });

  test("a GET waits as long as a rate limit says", async () => {
    const connection = await connect((received) => {
      const isFirst = server.received.length === 1;
      answer(
        received,
        isFirst ? { code: "RATE_LIMIT_HIT", "retry-after": 0.2 } : { toys: [] },
        isFirst ? 429 : 200,
      );
    });
    const before = performance.now();
    await connection.call(list, {});
    expect(performance.now() - before).toBeGreaterThan(190);
  });

  test("a GET that is refused is not retried", async () => {
    const connection = await connect((received) => answer(received, { code: "UNAUTHORIZED" }, 401));
    await failureOf(connection.call(list, {}));
    expect(server.received).toHaveLength(1);
  });

  test("a GET waits as long as the header Retry-After says", async () => {
    const connection = await connect((received) => {
      if (server.received.length > 1) answer(received, { toys: [] });
      else received.response.writeHead(503, { "Retry-After": "1" }).end("<html>busy</html>");
    });
    const before = performance.now();
    await connection.call(list, {});
    expect(performance.now() - before).toBeGreaterThan(990);
  });

  test("a server that asks for a very long wait gets no retry", async () => {
    const connection = await connect((received) =>
      answer(received, { code: "RATE_LIMIT_HIT", "retry-after": 3600 }, 429),
    );
    expect((await failureOf(connection.call(list, {}))).retryAfterMs).toBe(3_600_000);
    expect(server.received).toHaveLength(1);
  });

  test.each([
    ["RATE_LIMIT_HIT", 429],
    ["SERVER_NOT_READY", 503],
    ["DISK_FULL", 503],
    ["OUT_OF_MEMORY", 503],
    ["TOO_MANY_CONNECTIONS", 503],
  ])("a POST is retried after %s, since nothing was done", async (code, status) => {
    const connection = await connect((received) =>
      server.received.length === 1 ? answer(received, { code }, status) : answer(received, { id: 7 }),
    );
    expect((await connection.call(send, { toy: "t", content: "", to: 1 })).id).toBe(7);
    expect(server.received).toHaveLength(2);
  });

  test("a POST is retried while no connection can be made", async () => {
    const connection = await connect((received) => answer(received, { id: 7 }));
    const { site } = server;
    const attempts: string[] = [];
    const unreachable = new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
    const second = new Connection({
      site,
      backoff: { firstMs: 1, longestMs: 2 },
      fetch: (url, init) => (attempts.push(url) === 1 ? Promise.reject(unreachable) : fetch(url, init)),
    });
    await connection.call(list, {});
    expect((await second.call(send, { toy: "t", content: "", to: 1 })).id).toBe(7);
    expect(attempts).toHaveLength(2);
  });

  test.each([
    ["the API's 500", (received: Received) => answer(received, {}, 500)],
    ["a proxy's 503", ({ response }: Received) => void response.writeHead(503).end("<html>")],
    ["a success that can't be understood", ({ response }: Received) => void response.end("<html>")],
  ])("after %s, a POST is not retried, and its outcome is unknown", async (_, respond) => {
    const connection = await connect(respond);
    const error = await failureOf(connection.call(send, { toy: "t", content: "", to: 1 }));
    expect(error.isOutcomeUnknown).toBe(true);
    expect(server.received).toHaveLength(1);
  });

  test("after a refusal, the outcome of a POST is known", async () => {
    const connection = await connect((received) => answer(received, { code: "BAD_REQUEST" }, 400));
    const error = await failureOf(connection.call(send, { toy: "t", content: "", to: 1 }));
    expect(error.isOutcomeUnknown).toBe(false);
  });

  test("a POST without a response is not retried, since it may have succeeded", async () => {
    const connection = await connect((received) => received.response.destroy());
    const error = await failureOf(connection.call(send, { toy: "t", content: "", to: 1 }, { retries: 5 }));
    expect(error.failure).toEqual({ kind: "network", timedOut: false });
    expect(error.isOutcomeUnknown).toBe(true);
    expect(server.received).toHaveLength(1);
  });
});

test("files go with the parameters as a form of several parts, after the fields", async () => {
  const bodies: unknown[] = [];
  const connection = await connect(() => {}, {
    fetch: async (_url, { body }) => {
      bodies.push(body);
      return {
        status: 200,
        headers: { get: () => null },
        text: async () => '{"result":"success","msg":"","id":1}',
      };
    },
  });
  const files = [
    { name: "a.png", content: new Uint8Array([1, 2]), contentType: "image/png" },
    { name: "b.txt", content: new Blob(["text"], { type: "text/plain" }) },
  ];
  const reply = await connection.call(send, { toy: "t", content: "c", to: ["x"], isLoud: true }, { files });
  expect(reply).toEqual({ id: 1 });
  const form = [...(bodies[0] as FormData)];
  expect(form.slice(0, 3)).toEqual([
    ["content", "c"],
    ["to", '["x"]'],
    ["isLoud", "true"],
  ]);
  const sent = form.slice(3).map(([, file]) => file as File);
  expect(sent.map(({ name, type, size }) => [name, type, size])).toEqual([
    ["a.png", "image/png", 2],
    ["b.txt", "text/plain", 4],
  ]);
});

test("an error is told in the reader's words if there are some, and else as the server says it", async () => {
  const sentences = ["TOY_BROKEN", "TOY_LOST"];
  const connection = await connect(
    (received) =>
      answer(received, { result: "error", msg: "In English", code: sentences.shift(), toy: "top" }, 400),
    {
      describeError: (code, fields) => (code === "TOY_BROKEN" ? `kaputt: ${JSON.stringify(fields)}` : ""),
    },
  );
  const call = () => failureOf(connection.call(send, { toy: "t", content: "5", to: 5 }));
  expect([(await call()).message, (await call()).message]).toEqual(['kaputt: {"toy":"top"}', "In English"]);
});

test("the dates of answers say what time it is at the server", async () => {
  const before = new Date(Date.now() - 600_000);
  const connection = await connect((received) => {
    received.response.setHeader("Date", before.toUTCString());
    answer(received, { toys: [] });
  });
  await connection.call(list, {});
  expect(Math.abs(connection.clock.now() - before.getTime())).toBeLessThan(30_000);
});
