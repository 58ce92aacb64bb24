// The endpoint: what is posted where, and what is refused.
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callIncomingWebhook } from "../../../../api/integrations/incoming-webhooks.ts";
import { expectSuccess } from "../../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness, HOST } from "../../../../test/harness/harness.ts";
import { validateReply } from "../../../../test/harness/validate-reply.ts";
import { readSamples } from "../../../../test/harness/webhook-samples.ts";
import { groups } from "../../../groups/group.ts";
import { sql } from "../../../platform/db/sql.ts";
import { forgetDeliveries } from "./forget-deliveries.ts";
import { integrations } from "./integrations.ts";

interface Sent {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  payload?: unknown;
  as?: CastName;
}

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("alerts", ["ada", "ben", "echo", "dev"]);
  await harness.channel("leads", ["ada"], { isPrivate: true });
  await harness.channel("quiet", ["ada", "ben", "echo"], { topicsPolicy: "empty_topic_only" });
});
afterAll(() => harness.close());

/** Calls with the key in the address. */
async function call(name: string, { query = {}, headers = {}, payload = {}, as = "echo" }: Sent = {}) {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const address = new URLSearchParams({ api_key: harness.user(as).apiKey, ...query });
  const response = await harness.app.inject({
    method: "POST",
    url: `/api/v1/external/${name}?${address}`,
    headers: { host: HOST, "content-type": "application/json", ...headers },
    payload: text,
  });
  const body = response.json();
  if (body.code !== "NOT_FOUND" || response.statusCode !== 404)
    validateReply(callIncomingWebhook, body, response.statusCode);
  return { status: response.statusCode, body };
}

async function newest(as: CastName = "ben") {
  const found = await expectSuccess(
    harness.as(as).get("/messages", { anchor: "newest", num_before: 1, num_after: 0, apply_markdown: false }),
  );
  const { sender_id, type, display_recipient, subject, content, id } = found.messages[0];
  return { id, sender: sender_id, type, place: display_recipient, topic: subject, content };
}

const soup = { meal: "Soup" };
const stream = { stream: "alerts" };
const template = { template: "{{meal}}" };

describe("a message from another program", () => {
  test("goes to a channel by name, with the topic of the address", async () => {
    expect(await call("json", { query: { ...stream, topic: "lunch", ...template }, payload: soup })).toEqual({
      status: 200,
      body: { result: "success", msg: "" },
    });
    expect(await newest()).toMatchObject({
      sender: harness.user("echo").id,
      type: "stream",
      place: "alerts",
      topic: "lunch",
      content: "Soup",
    });
  });

  test("goes to a channel by ID, with the integration's title as its topic", async () => {
    const { body } = await harness.as("ada").get("/get_stream_id", stream);
    await call("json", { query: { stream: String(body.stream_id) }, payload: soup });
    expect(await newest()).toMatchObject({ place: "alerts", topic: "JSON" });
  });

  test("goes to the bot's owner without a channel, and says in its text what the topic would say", async () => {
    const sample = readSamples().find(({ integration, file }) => integration === "github" && file === "fork");
    await call("github", { payload: sample?.body, headers: { "x-github-event": "fork" } });
    const message = await newest();
    expect(message).toMatchObject({ sender: harness.user("echo").id, type: "private" });
    expect(message.place.map(({ id }: { id: number }) => id).sort()).toEqual(
      [harness.user("ben").id, harness.user("echo").id].sort(),
    );
    expect(message.content).toBe(
      "**soup**\n\nnoor-bakes made the fork [pantry/soup](https://github.com/pantry/soup).",
    );
  });

  test("goes to oneself, from a person who uses their own key without a channel", async () => {
    await call("json", { as: "dev", payload: soup, query: template });
    expect(await newest("dev")).toMatchObject({ type: "private", content: "Soup" });
    expect((await newest("dev")).place).toHaveLength(1);
  });

  test("goes to the empty topic of a channel that has no other, unless the address asks for one", async () => {
    expect((await call("json", { query: { stream: "quiet", ...template }, payload: soup })).status).toBe(200);
    expect(await newest()).toMatchObject({ place: "quiet", topic: "general chat" });
    const refused = await call("json", { query: { stream: "quiet", topic: "lunch" }, payload: soup });
    expect(refused.body.msg).toBe("Only the empty topic is allowed in this channel.");
  });

  test("can be sent with Basic credentials", async () => {
    const { email, apiKey } = harness.user("echo");
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
    const response = await harness.app.inject({
      method: "POST",
      url: "/api/v1/external/json?stream=alerts&topic=basic",
      headers: { host: HOST, "content-type": "application/json", authorization },
      payload: "{}",
    });
    expect(response.statusCode).toBe(200);
    expect((await newest()).topic).toBe("basic");
  });

  test("can be a form with the payload, or a form that is the payload", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    for (const payload of [`payload=${encodeURIComponent('{"meal":"Leeks"}')}`, "meal=Leeks&topic=theirs"]) {
      await call("json", { query: { ...stream, topic: "forms", ...template }, headers: form, payload });
      expect(await newest()).toMatchObject({ topic: "forms", content: "Leeks" });
    }
  });

  test("has the form of the reply that Slack's programs look for", async () => {
    const { body } = await call("slack_incoming", {
      query: stream,
      payload: { text: "Hi", channel: "#ops" },
    });
    expect(body).toEqual({ result: "success", msg: "", ok: true });
    expect(await newest()).toMatchObject({ topic: "ops", content: "Hi" });
  });
});

test("clients learn which integrations there are", async () => {
  const { realm_incoming_webhook_bots: all } = await expectSuccess(
    harness.as("dev").post("/register", { fetch_event_types: ["realm_incoming_webhook_bots"] }),
  );
  expect(all.map(({ name }: { name: string }) => name)).toEqual(integrations.map(({ name }) => name));
  expect(all).toContainEqual({
    name: "alertmanager",
    display_name: "Prometheus Alertmanager",
    all_event_types: ["firing", "resolved"],
    config_options: [],
    url_options: [],
  });
  expect(all[0].all_event_types).toBeNull();
  expect(all.find(({ name }: { name: string }) => name === "github").url_options).toMatchObject([
    { key: "secret" },
  ]);
});

test("every sample is accepted", async () => {
  const problems: string[] = [];
  for (const sample of readSamples()) {
    const isForm = sample.form !== undefined;
    const { status, body } = await call(sample.integration, {
      query: { ...stream, ...sample.query },
      headers: {
        ...sample.headers,
        // Each is a delivery of its own.
        ...Object.fromEntries(
          ["x-github-delivery", "x-gitea-delivery", "idempotency-key", "request-id", "linear-delivery"].map(
            (name) => [name, `${sample.integration}/${sample.file}`],
          ),
        ),
        ...(isForm ? { "content-type": "application/x-www-form-urlencoded" } : {}),
      },
      payload: isForm ? new URLSearchParams(sample.form).toString() : sample.body,
    });
    if (status !== 200 || body.result !== "success")
      problems.push(`${sample.integration}/${sample.file}: ${JSON.stringify(body)}`);
  }
  expect(problems).toEqual([]);
});

describe("a refusal", () => {
  const last = () => newest("ada");

  test.each([
    ["an unknown integration", "nothing", {}, 404, "NOT_FOUND"],
    ["a property of every object", "constructor", {}, 404, "NOT_FOUND"],
    ["a missing header", "github", {}, 400, "MISSING_HTTP_EVENT_HEADER"],
    [
      "a payload of another form",
      "github",
      { headers: { "x-github-event": "push" } },
      400,
      "ANOMALOUS_WEBHOOK_PAYLOAD",
    ],
    ["broken JSON", "json", { payload: '{"a":' }, 400, "INVALID_JSON"],
    ["no body", "json", { payload: "" }, 400, "INVALID_JSON"],
    [
      "JSON that is too deep",
      "json",
      { payload: `${"[".repeat(500)}${"]".repeat(500)}` },
      400,
      "INVALID_JSON",
    ],
    ["a channel that is not there", "json", { query: { stream: "nowhere" } }, 400, "STREAM_DOES_NOT_EXIST"],
    ["a channel that the bot may not post in", "json", { query: { stream: "leads" } }, 400, "BAD_REQUEST"],
    ["an empty message", "slack_incoming", { payload: { text: "" }, query: stream }, 400, "BAD_REQUEST"],
    ["a wrong key", "json", { query: { api_key: "x".repeat(32) } }, 401, "UNAUTHORIZED"],
    ["a malformed key", "json", { query: { api_key: "short" } }, 401, "UNAUTHORIZED"],
    ["a key of another organization", "json", { as: "zed" as const }, 401, "UNAUTHORIZED"],
  ])("follows from %s", async (_, name, sent, status, code) => {
    const before = await last();
    const answer = await call(name, sent);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await last()).toEqual(before);
  });

  test("of an event that the integration does not know has the status of a success", async () => {
    const headers = { "x-github-event": "issues" };
    for (const [action, event] of [
      ["labeled", "issues.labeled"],
      ["x".repeat(500), `issues.${"x".repeat(92)}…`],
    ]) {
      const { status, body } = await call("github", { headers, payload: { action } });
      expect([status, body]).toEqual([
        200,
        {
          result: "error",
          msg: `The integration 'github' ignores events of the type '${event}'.`,
          code: "UNSUPPORTED_WEBHOOK_EVENT_TYPE",
          webhook_name: "github",
          event_type: event,
        },
      ]);
    }
    const { body } = await call("jenkins", { payload: { build: { phase: "toString" } } });
    expect(body.code).toBe("UNSUPPORTED_WEBHOOK_EVENT_TYPE");
  });
});

test("events that the address does not want are accepted and not posted", async () => {
  const ping = { headers: { "x-github-event": "ping" }, payload: { zen: "Taste." } };
  const last = await newest();
  const filters: Record<string, string>[] = [
    { only_events: '["push", "issues.*"]' },
    { exclude_events: '["p*"]' },
  ];
  for (const query of filters) {
    expect((await call("github", { ...ping, query: { ...stream, ...query } })).body.result).toBe("success");
  }
  expect(await newest()).toEqual(last);
  await call("github", { ...ping, query: { ...stream, only_events: '["p?ng"]' } });
  expect((await newest()).id).toBeGreaterThan(last.id);
});

describe("a signature", () => {
  const payload = JSON.stringify({ zen: "Taste." });
  const hex = (secret: string, text = payload) => createHmac("sha256", secret).update(text).digest("hex");
  const send = async (name: string, headers: Record<string, string>, secret?: string) => {
    const query = { ...stream, ...(secret === undefined ? {} : { secret }) };
    const { status, body } = await call(name, { query, headers, payload });
    return status === 200 ? "accepted" : body.msg;
  };
  const github = { "x-github-event": "ping" };
  const wrong = "The request's signature is wrong.";

  test.each([
    ["is right", `sha256=${hex("s3cret")}`, "accepted"],
    ["is of another secret", `sha256=${hex("other")}`, wrong],
    ["is of another body", `sha256=${hex("s3cret", "{}")}`, wrong],
    ["has no prefix", hex("s3cret"), wrong],
    ["is empty", "", wrong],
    ["is longer", `sha256=${hex("s3cret")}00`, wrong],
  ])("that %s", async (_, signature, expected) => {
    expect(await send("github", { ...github, "x-hub-signature-256": signature }, "s3cret")).toBe(expected);
  });

  test("must come if the address has a secret, and a secret must be there if it comes", async () => {
    expect(await send("github", github)).toBe("accepted");
    expect(await send("github", github, "s3cret")).toMatch(/is not signed/);
    expect(await send("github", { ...github, "x-hub-signature-256": `sha256=${hex("s3cret")}` })).toMatch(
      /add the secret/,
    );
    expect(await send("json", {}, "s3cret")).toMatch(/is not signed/);
  });

  test("is checked before anything of the body is read", async () => {
    const { body } = await call("github", {
      query: { secret: "s3cret" },
      headers: { "x-hub-signature-256": "sha256=00" },
      payload: "{",
    });
    expect(body.msg).toBe(wrong);
  });

  test("of each sender is checked in its own form", async () => {
    const forms: [string, Record<string, string>, Record<string, string>][] = [
      ["gitea", { "x-gitea-event": "x" }, { "x-gitea-signature": hex("s"), "x-forgejo-signature": hex("s") }],
      ["gitlab", {}, { "x-gitlab-token": "s" }],
      ["grafana", {}, { "x-grafana-alerting-signature": hex("s") }],
      ["jira", {}, { "x-hub-signature": `sha256=${hex("s")}` }],
      ["linear", {}, { "linear-signature": hex("s") }],
      ["sentry", { "sentry-hook-resource": "x" }, { "sentry-hook-signature": hex("s") }],
    ];
    for (const [name, headers, signed] of forms) {
      // The events are unknown, which is not a failure.
      expect([name, await send(name, { ...headers, ...signed }, "s")]).toEqual([name, "accepted"]);
      expect([name, await send(name, { ...headers, ...signed }, "t")]).toEqual([name, wrong]);
      for (const header of Object.keys(signed)) {
        const spoiled = { ...headers, ...signed, [header]: "0" };
        expect([name, await send(name, spoiled, "s")]).toEqual([name, wrong]);
      }
    }
  });
});

describe("a delivery that is repeated", () => {
  const deliver = (id: string, more: Record<string, string> = {}) =>
    call("github", {
      query: { stream: "alerts", ...more },
      headers: { "x-github-event": "ping", "x-github-delivery": id },
      payload: { zen: `Taste ${id}.` },
    });
  const count = async () => {
    const request = { anchor: "newest", num_before: 1000, num_after: 0, narrow: [["channel", "alerts"]] };
    return (await expectSuccess(harness.as("ada").get("/messages", request))).messages.length;
  };

  test("is posted once, also if both come at the same time", async () => {
    const before = await count();
    const answers = await Promise.all([deliver("one"), deliver("one"), deliver("one")]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await deliver("one");
    expect((await count()) - before).toBe(1);
  });

  test("is another one at another address, or without a name", async () => {
    const before = await count();
    await deliver("two");
    await deliver("two", { topic: "elsewhere" });
    await call("json", { query: stream, payload: soup });
    await call("json", { query: stream, payload: soup });
    expect((await count()) - before).toBe(4);
  });

  test("is posted after all if it was refused before", async () => {
    expect((await deliver("three", { stream: "later" })).body.code).toBe("STREAM_DOES_NOT_EXIST");
    await harness.channel("later", ["ada", "ben", "echo"]);
    expect((await deliver("three", { stream: "later" })).status).toBe(200);
    expect((await newest()).place).toBe("later");
  });

  test("is posted once also where guests know of few people", async () => {
    const members = harness.state.get(groups).findByName("role:members");
    await harness.channel("desk", ["ada", "ben", "echo", "gus"]);
    const restrict = (id: number | undefined) =>
      expectSuccess(harness.as("ada").patch("/realm", { can_access_all_users_group: { new: id } }));
    await restrict(members?.id);
    for (let each = 0; each < 2; each++)
      expect((await deliver("five", { stream: "desk", topic: "guests" })).status).toBe(200);
    const found = await expectSuccess(
      harness.as("gus").get("/messages", {
        anchor: "newest",
        num_before: 10,
        num_after: 0,
        narrow: [["channel", "desk"]],
      }),
    );
    expect(found.messages.filter(({ subject }: { subject: string }) => subject === "guests")).toHaveLength(1);
    await restrict(harness.state.get(groups).findByName("role:everyone")?.id);
  });

  test("is forgotten after a day", async () => {
    const { database } = harness.services;
    const before = await count();
    await deliver("four");
    await database.query(sql`update incoming_deliveries set received_at = now() - interval '25 hours'`);
    await forgetDeliveries.run(
      harness.services,
      {},
      { signal: new AbortController().signal, dueAt: new Date() },
    );
    expect(await database.query(sql`select 1 from incoming_deliveries`)).toEqual([]);
    await deliver("four");
    expect((await count()) - before).toBe(2);
  });
});
