// An installation of schema 5, as a server of that time left it. Its demo organization has edited and moved
// messages and changed subscriptions. Three event queues have waiting events, and one job is waiting. The
// rows were recorded, since a directory of PostgreSQL is too large to keep. `heard` has the old server's
// responses to polls of the queues.
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createServer, openServices } from "../../server/app.ts";
import { readConfig } from "../../server/config.ts";
import type { Services } from "../../server/services.ts";
import { type OldDatabase, type OldRows, upgradedDatabase } from "./old-installation.ts";

interface Installation extends OldRows {
  messageId: number;
  queues: Record<string, { queue_id: string; last_event_id: number }>;
  heard: Record<string, unknown[]>;
}

const LAST = 5;
const old: Installation = JSON.parse(readFileSync(new URL("schema-5.json", import.meta.url), "utf8"));

let upgraded: OldDatabase;
let services: Services;
let app: FastifyInstance;

beforeAll(async () => {
  upgraded = await upgradedDatabase(LAST, old, async (client) => {
    await client.query(
      "select graphile_worker.add_job('tell_new_full_members', '{}', run_at => now() + interval '1 year')",
    );
  });
  const config = readConfig({ PARLEY_ENV: "development", PARLEY_LOG: "silent" });
  services = await openServices(config, pino({ level: "silent" }), upgraded.database.connection);
  app = await createServer(services);
}, 60_000);

afterAll(async () => {
  await services.queues.stop();
  await app.close();
  await services.database.close();
  await upgraded.close();
});

async function get(name: string, url: string, params: Record<string, string> = {}) {
  const headers = { host: "localhost" };
  const payload = new URLSearchParams({ username: `${name}@demo.test` }).toString();
  const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
  const key = await app.inject({ method: "POST", url: "/api/v1/dev_fetch_api_key", headers: form, payload });
  const { email, api_key } = key.json();
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`;
  const query = new URLSearchParams(params);
  const answer = await app.inject({ url: `/api/v1${url}?${query}`, headers: { ...headers, authorization } });
  return answer.json();
}

/** People without a picture of their own had one of Gravatar then. */
function withDrawnPictures(event: unknown): unknown {
  return JSON.parse(JSON.stringify(event), (key, value) =>
    key === "avatar_url" ? expect.stringMatching(/^\/user_avatars\/drawn\//) : value,
  );
}

/** The old server gave a moved message where it was by then. It comes as it was sent: its move follows. */
function asSent(event: unknown): unknown {
  const { type, message } = event as { type: string; message?: { id: number } };
  if (type !== "message" || message?.id !== old.messageId) return event;
  return { ...(event as object), message: { ...message, subject: "harvest" } };
}

describe("an installation of schema 5", () => {
  test.each(Object.keys(old.queues))("keeps the event queue of %s, with each waiting event", async (name) => {
    const { queue_id, last_event_id } = old.queues[name] as Installation["queues"][string];
    const params = { queue_id, last_event_id: String(last_event_id), dont_block: "true" };
    const { events } = await get(name, "/events", params);
    expect(events).toEqual(old.heard[name]?.map((event) => withDrawnPictures(asSent(event))));
    expect(events.length).toBeGreaterThan(0);
  });

  test("keeps its messages, with their history and flags", async () => {
    const { message } = await get("dev", `/messages/${old.messageId}`, { apply_markdown: "false" });
    expect(message).toMatchObject({ content: "Nine crates of **pears**", subject: "the harvest" });
    expect(message.reactions).toHaveLength(1);
    expect(message.edit_history).toHaveLength(2);
    expect(new Set(message.flags)).toEqual(new Set(["read", "starred", "has_alert_word"]));
  });

  test("keeps subscriptions, and the messages that people received before they left", async () => {
    const { subscriptions } = await get("dev", "/users/me/subscriptions");
    const channels = subscriptions.map(({ name }: { name: string }) => name);
    expect(channels).toContain("general");
    expect(channels).not.toContain("design");
    const narrow = JSON.stringify([["channel", "design"]]);
    const page = await get("dev", "/messages", {
      narrow,
      anchor: "newest",
      num_before: "50",
      num_after: "0",
    });
    expect(page.messages.length).toBeGreaterThan(0);
  });

  test("finds its messages by their words", async () => {
    const narrow = JSON.stringify([["search", "crates"]]);
    const page = await get("dev", "/messages", { narrow, anchor: "newest", num_before: "5", num_after: "0" });
    expect(page.messages.map(({ id }: { id: number }) => id)).toEqual([old.messageId]);
  });

  test("keeps a waiting job, under its new name", async () => {
    const { rows } = await upgraded.client.query(
      `select task_identifier as name from graphile_worker.jobs where run_at > now() + interval '300 days'`,
    );
    expect(rows).toEqual([{ name: "announce_new_full_members" }]);
  });
});
