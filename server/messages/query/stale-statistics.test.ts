/**
 * PostgreSQL plans statements by statistics, which trail behind the tables. Here they are from a time when
 * only another organization had a few rows. Then this one grew a thousandfold. Requests run as they are. Each
 * of their reading statements is explained where it runs, and what it touches is counted: pages of 8 kB, and
 * rows.
 */
import type { FastifyInstance } from "fastify";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChannelId, MessageId, UserId } from "../../../api/ids.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { createServer, openServices } from "../../app.ts";
import { subscribedAt } from "../../channels/subscriptions/subscribers.ts";
import { readConfig } from "../../config.ts";
import type { Database, Queryable } from "../../platform/db/database.ts";
import { Sql, sql } from "../../platform/db/sql.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { personalFlags } from "../model/message.ts";
import { listReceivers, listReceiversAmong } from "./fetch.ts";

const CHANNELS = 1000;
const PEOPLE = 1000;
const MESSAGES = 30_000;
const TOPICS = 2000;
/** The newest messages, which dev has not read. */
const RECENT = 5;

/** For each of some 1,000 subscriptions: its row, and its position through an index of two levels. */
const MOST_PAGES = 8000;
const MOST_ROWS = 40_000;
/** One statement has all lists of a person, two of which have a row for each subscription or conversation. */
const MOST_PAGES_OF_LISTS = 2 * MOST_PAGES;
/** For the few messages that a change of flags or a reaction names. */
const MOST_PAGES_OF_FEW = 300;
const MOST_ROWS_OF_FEW = 200;

const tables = [
  "channels",
  "event_queues",
  "log_positions",
  "message_edits",
  "message_flags",
  "messages",
  "reactions",
  "read_states",
  "topic_read_states",
  "subscriptions",
  "topic_policies",
  "topics",
  "users",
];

let harness: Harness;
/** A server that started after the growth. */
let services: Services;
let app: FastifyInstance;
let state: OrganizationState;
let costs: Costs;
let harborId: ChannelId;
let pierId: ChannelId;
let newest: MessageId[];
/** In a channel with few subscribers. */
let editedId: MessageId;

beforeAll(async () => {
  harness = await createHarness();
  const { database } = harness.services;
  await expectSuccess(
    harness.as("zed").post("/users/me/subscriptions", { subscriptions: [{ name: "elsewhere" }] }),
  );
  for (const table of tables) {
    await database.query(new Sql(`alter table ${table} set (autovacuum_enabled = off)`, [], undefined));
    await database.query(new Sql(`analyze ${table}`, [], undefined));
  }
  const channel = await harness.channel("harbor", ["ada", "dev", "elin"]);
  harborId = channel.id;
  pierId = (await harness.channel("pier", ["ada", "dev"], { isPrivate: true })).id;
  await harness.channel("jetty", ["ada", "dev", "gus"]);
  for (const text of ["Morning", "Noon"]) {
    await expectSuccess(
      harness.as("ada").post("/messages", { type: "channel", to: "harbor", topic: "tides", content: text }),
    );
  }
  await grow(database);
  const config = readConfig({ PARLEY_ENV: "development", PARLEY_LOG: "silent" });
  services = await openServices(config, pino({ level: "silent" }), database.connection);
  app = await createServer(services);
  state = (await services.organizations.byHost(HOST)) as OrganizationState;
  const message = { type: "channel", to: "jetty", topic: "tides", content: "Noon" };
  editedId = (await call("ada", "POST", "/messages", message)).id;
  costs = new Costs(services.database);
}, 120_000);

afterAll(async () => {
  await services.queues.stop();
  await app.close();
  await services.database.close();
  await harness.close();
});

/**
 * 1,000 people in `harbor`, who came one by one, and 1,000 channels of dev's, each from its own position.
 * All of harbor's messages are read by dev, except for the newest.
 */
async function grow(database: Database): Promise<void> {
  const { organizationId } = harness.state;
  const devId = harness.user("dev").id;
  const adaId = harness.user("ada").id;
  const count = CHANNELS + PEOPLE + MESSAGES;
  await database.transaction(async (tx) => {
    const [log] = await tx.query<{ base: number }>(sql`
      update organization_logs set head = head + ${count}::int where organization_id = ${organizationId}
      returning head - ${count}::int as base`);
    const base = log?.base as number;
    await tx.query(sql`
      with person as (
        insert into users (organization_id, email, full_name, role)
        select ${organizationId}, 'p' || n || '@harbor.test', 'Person ' || n, 400 from generate_series(1, ${PEOPLE}::int) n
        returning id
      ), channel as (
        insert into channels (organization_id, name, description, rendered_description, creator_id)
        select ${organizationId}, 'berth ' || n, '', '', ${adaId} from generate_series(1, ${CHANNELS}::int) n
        returning id
      ), pair as (
        select id as user_id, ${harborId}::bigint as channel_id from person
        union all select ${devId}::bigint, id from channel
      ), numbered as (
        select *, nextval('log_position_ids') as ref, row_number() over () as n from pair
      ), position as (
        insert into log_positions (organization_id, id, position)
        select ${organizationId}, ref, ${base}::bigint + n from numbered
      )
      insert into subscriptions (organization_id, channel_id, user_id, from_position_ref)
      select ${organizationId}, channel_id, user_id, ref from numbered`);
    await tx.query(sql`
      insert into event_queues (organization_id, id, user_id, cursor, started_at, options, lifespan_seconds)
      select organization_id, gen_random_uuid(), id, ${base}, ${base}, '{}', 600 from users
      where organization_id = ${organizationId} and email like '%@harbor.test'`);
    await tx.query(sql`
      insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts, content,
        rendered_content)
      select organization_id, ${base + CHANNELS + PEOPLE}::bigint + n, recipient_id, topic_id, sender_id, client, sent_at, facts,
        content, rendered_content
      from messages, generate_series(1, ${MESSAGES}::int) n
      where organization_id = ${organizationId} and recipient_id = ${harborId} and content = 'Noon'`);
    await tx.query(sql`
      insert into read_states (organization_id, user_id, recipient_id, ranges)
      select organization_id, user_id, channel_id, int8multirange(int8range(0, ${base + count - RECENT}::bigint))
      from subscriptions where organization_id = ${organizationId}
      on conflict (organization_id, user_id, recipient_id) do update set ranges = excluded.ranges`);
    await tx.query(sql`
      with topic as (
        insert into topics (organization_id, channel_id, name)
        select ${organizationId}, ${harborId}::bigint, 'quay ' || n from generate_series(1, ${TOPICS}::int) n
        returning id
      )
      insert into topic_policies (organization_id, user_id, topic_id, policy)
      select ${organizationId}, ${devId}::bigint, id, 3 from topic`);
    // All that was read has one of dev's alert words.
    await tx.query(sql`
      insert into message_flags (organization_id, user_id, message_id, flags)
      select organization_id, ${devId}::bigint, id, ${personalFlags.alertWord}::int from messages
      where organization_id = ${organizationId} and recipient_id = ${harborId}
        and id <= ${base + count - RECENT}::bigint
      on conflict do nothing`);
    await tx.query(sql`
      insert into reactions (organization_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
      select organization_id, id, ${devId}::bigint, 'unicode_emoji', '1f419', 'octopus' from messages
      where organization_id = ${organizationId} and recipient_id = ${harborId}
        and id <= ${base + count - RECENT}::bigint`);
    newest = Array.from({ length: RECENT }, (_, index) => (base + count - RECENT + index + 1) as MessageId);
  });
}

interface Plan {
  Plans?: Plan[];
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
}

interface Cost {
  text: string;
  pages: number;
  /** How many rows its steps passed on or left out, all together. */
  rows: number;
}

/** Counts what the reading statements of a request cost. */
class Costs {
  readonly #query: Database["query"];
  #found: Cost[] = [];

  /** From now on, each reading statement of this database is explained before it runs. */
  constructor(database: Database) {
    const [transaction, snapshot] = [database.transaction.bind(database), database.snapshot.bind(database)];
    this.#query = database.query.bind(database);
    database.query = (statement) => this.direct.query(statement);
    database.snapshot = (read) => snapshot((tx) => read(this.#watch(tx)));
    database.transaction = async (work, options) => {
      // What a transaction begins with is explained before it, since it would not wait for an explanation.
      for (const statement of options?.lead ?? []) await this.#explain({ query: this.#query }, statement);
      return transaction((tx, lead) => work({ ...tx, ...this.#watch(tx) }, lead), options);
    };
  }

  get direct(): Queryable {
    return this.#watch({ query: this.#query });
  }

  #watch(tx: Queryable): Queryable {
    return {
      query: async (statement) => {
        await this.#explain(tx, statement);
        return tx.query(statement);
      },
    };
  }

  async #explain(tx: Queryable, statement: Sql): Promise<void> {
    if (isRead(statement)) this.#found.push(await costOf(tx, statement));
  }

  /** The most that one statement of `work` costs, of each kind. */
  async most(work: () => Promise<unknown>): Promise<{ pages: Cost; rows: Cost }> {
    this.#found = [];
    await work();
    const [first] = this.#found;
    if (!first) throw new Error("nothing was read");
    const most = (kind: "pages" | "rows") =>
      this.#found.reduce((one, other) => (other[kind] > one[kind] ? other : one), first);
    return { pages: most("pages"), rows: most("rows") };
  }
}

function isRead({ text }: Sql): boolean {
  const withoutLocks = text.replace(/\bfor update\b/g, "");
  return /^\s*(select|with)\b/.test(text) && !/\b(insert|update|delete|nextval)\b/.test(withoutLocks);
}

async function costOf(tx: Queryable, { text, values }: Sql): Promise<Cost> {
  const explain = new Sql(`explain (analyze, buffers, timing off, format json) ${text}`, values, undefined);
  const [row] = await tx.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(explain);
  const { Plan: plan } = (row as { "QUERY PLAN": [{ Plan: Plan }] })["QUERY PLAN"][0];
  return { text, pages: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], rows: rowsOf(plan) };
}

function rowsOf(plan: Plan): number {
  const {
    Plans: parts = [],
    "Rows Removed by Filter": left = 0,
    "Rows Removed by Join Filter": apart = 0,
  } = plan;
  const own = (plan["Actual Rows"] + left + apart) * plan["Actual Loops"];
  return parts.reduce((sum, part) => sum + rowsOf(part), own);
}

async function call(name: CastName, method: "GET" | "POST" | "PATCH" | "DELETE", path: string, params = {}) {
  const { email, apiKey } = harness.user(name);
  const form = new URLSearchParams(
    Object.entries(params).map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  ).toString();
  const answer = await app.inject({
    method,
    url: `/api/v1${path}${method === "GET" ? `?${form}` : ""}`,
    headers: {
      host: HOST,
      authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    ...(method !== "GET" && { payload: form }),
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

describe("with statistics of an organization before it grew, no statement reads more than it needs", () => {
  const page = (...narrow: string[][]) =>
    call("dev", "GET", "/messages", { narrow, num_before: 50, num_after: 0, anchor: "newest" });
  const flag = (name: string) =>
    call("dev", "POST", "/messages/flags", { messages: newest, op: "add", flag: name });
  const last = () => newest.at(-1) as MessageId;
  const place = () => ({ id: last(), recipientId: harborId });
  const devId = () => harness.user("dev").id as UserId;

  const requests: [what: string, work: () => Promise<unknown>][] = [
    ["a star", () => flag("starred")],
    ["the first state", () => call("dev", "POST", "/register")],
    ["one's own subscriptions", () => call("dev", "GET", "/users/me/subscriptions")],
    ["a page of everything", () => page()],
    ["a page of a channel", () => page(["channel", "harbor"])],
    ["the newest mentions", () => page(["is", "mentioned"])],
    ["marking as read", () => flag("read")],
    ["a reaction", () => call("dev", "POST", `/messages/${last()}/reactions`, { emoji_name: "heart" })],
    ["read receipts", () => call("dev", "GET", `/messages/${last()}/read_receipts`)],
    ["an edit", () => call("ada", "PATCH", `/messages/${last()}`, { content: "Night, @**Dev Rao**" })],
    ["an edit in a small channel", () => call("ada", "PATCH", `/messages/${editedId}`, { content: "Night" })],
    ["a move", () => call("ada", "PATCH", `/messages/${last()}`, { stream_id: pierId })],
    ["leaving", () => call("dev", "DELETE", "/users/me/subscriptions", { subscriptions: ["harbor"] })],
    ["receivers", () => listReceivers(costs.direct, state.organizationId, harborId, newest)],
    [
      "receivers among some",
      () => listReceiversAmong(costs.direct, state.organizationId, place(), [devId()]),
    ],
    ["a replay", () => subscribedAt(state, costs.direct, devId())],
  ];
  const ofFew = new Set(["a star", "marking as read", "a reaction", "an edit in a small channel"]);
  test.each(requests)("%s", async (what, work) => {
    const { pages, rows } = await costs.most(work);
    const isOfFew = ofFew.has(what);
    const mostPages = what === "the first state" ? MOST_PAGES_OF_LISTS : MOST_PAGES;
    expect(pages.pages, pages.text).toBeLessThan(isOfFew ? MOST_PAGES_OF_FEW : mostPages);
    expect(rows.rows, rows.text).toBeLessThan(isOfFew ? MOST_ROWS_OF_FEW : MOST_ROWS);
  });
});
