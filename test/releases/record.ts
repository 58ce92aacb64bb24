/** Writes down an installation whose people have used everything, for the releases to come. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Database } from "../../server/platform/db/database.ts";
import { ownSchema } from "../../server/platform/db/migrate.ts";
import { Sql, sql } from "../../server/platform/db/sql.ts";
import { filesDirectory } from "../../server/platform/file-storage/open-storage.ts";
import { queuesOf } from "../../server/platform/queues/organization-queues.ts";
import { ownVersion } from "../../server/version.ts";
import { expectSuccess } from "../harness/answers.ts";
import { type Caller, type CastName, createHarness, type Harness } from "../harness/harness.ts";
import { liveThrough } from "../harness/whole-person.ts";
import type { OldRows } from "./old-installation.ts";

/** What a release left, and what it answered. */
export interface RecordedRelease extends OldRows {
  version: string;
  schema: number;
  /** By their paths in the directory of files, in base64. */
  files: Record<string, string>;
  /** The queue that each of these people has, with events that wait in it. */
  queues: Record<string, { queue_id: string; last_event_id: number }>;
  /** What each of them was answered, by the call. */
  answers: Record<string, Record<string, unknown>>;
}

/** An owner, a member who has used everything, and a guest. */
export const readers = ["ada", "dev", "gus"] as const satisfies CastName[];

/** What migrations write themselves, and what tells one database server from another. */
const notRecorded = ["migrations", "log_timeline"];

const everything = { anchor: "oldest", num_before: 0, num_after: 500 };
const calls: readonly (readonly [path: string, params: Record<string, unknown>])[] = [
  ["/messages", everything],
  ["/messages", { ...everything, narrow: [{ operator: "is", operand: "unread" }] }],
  ["/messages", { ...everything, narrow: [{ operator: "is", operand: "starred" }] }],
  ["/messages", { ...everything, narrow: [{ operator: "search", operand: "prices" }] }],
  ["/users", {}],
  ["/streams", {}],
  ["/users/me/subscriptions", {}],
  ["/user_groups", {}],
  ["/drafts", {}],
  ["/saved_snippets", {}],
  ["/scheduled_messages", {}],
  ["/reminders", {}],
  ["/attachments", {}],
  ["/navigation_views", {}],
  ["/realm/profile_fields", {}],
  ["/realm/emoji", {}],
  ["/realm/linkifiers", {}],
];

/** What `name` is answered, without what changes by itself with the time and the number of a queue. */
export async function answersTo(caller: Caller, release: Pick<RecordedRelease, "queues">, name: string) {
  const answers: Record<string, unknown> = {};
  for (const [path, params] of calls) {
    const { body } = await caller.get(path, params);
    answers[`${path} ${JSON.stringify(params)}`] = body;
  }
  const { queue_id, last_event_id } = release.queues[name] as RecordedRelease["queues"][string];
  const events = await caller.get("/events", { queue_id, last_event_id, dont_block: true });
  answers.events = events.body;
  const types = [
    "message",
    "update_message_flags",
    "user_topic",
    "muted_users",
    "alert_words",
    "user_settings",
  ];
  const state = await expectSuccess(caller.post("/register", { fetch_event_types: types, event_types: [] }));
  answers.register = state;
  return withoutMoments(answers);
}

const ofTheMoment = new Set([
  "queue_id",
  "last_event_id",
  "is_recently_active",
  "stream_weekly_traffic",
  "server_timestamp",
  "event_queue_longpoll_timeout_seconds",
  "zulip_version",
  "zulip_feature_level",
  "zulip_merge_base",
  "parley_version",
]);

function withoutMoments(value: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value, (key, each) => (ofTheMoment.has(key) ? undefined : each)));
}

/** Lets people use everything, and writes down what is kept of it and what they see. */
export async function recordRelease(): Promise<RecordedRelease> {
  const harness = await createHarness();
  try {
    await harness.channel("kitchen", ["ada", "ben", "gus"], { isDefault: true });
    const queues: RecordedRelease["queues"] = {};
    for (const name of readers) {
      const { queue_id, last_event_id } = await expectSuccess(
        harness.as(name).post("/register", { apply_markdown: true }),
      );
      queues[name] = { queue_id, last_event_id };
    }
    await liveThrough(harness, "dev");
    await useTheRest(harness);
    const { database } = harness.services;
    const release = {
      ...{ version: ownVersion, schema: ownSchema(), queues },
      rows: await rowsOf(database),
      sequences: await sequencesOf(database),
      files: filesIn(filesDirectory(harness.services.config)),
      answers: {} as RecordedRelease["answers"],
    };
    // After a start nothing is left of what queues have collected: they read the log again.
    for (const queue of queuesOf(harness.state).byId.values()) queue.isCold = true;
    harness.state.recent.clear();
    for (const name of readers) release.answers[name] = await answersTo(harness.as(name), release, name);
    return release;
  } finally {
    await harness.close();
  }
}

/** What no single person does. */
async function useTheRest(harness: Harness): Promise<void> {
  const ada = harness.as("ada");
  const done = (call: ReturnType<Caller["post"]>) => expectSuccess(call);
  const say = async (topic: string, content: string) =>
    (await done(ada.post("/messages", { type: "channel", to: "kitchen", topic, content }))).id as number;
  const soup = await say("lunch", "Soup of **beans**, and what each of the prices is");
  await done(ada.patch(`/messages/${soup}`, { topic: "dinner", propagate_mode: "change_all" }));
  await done(ada.post(`/messages/${soup}/reactions`, { emoji_name: "tada" }));
  await done(harness.as("gus").post(`/messages/${soup}/reactions`, { emoji_name: "tada" }));
  await say("poll", "/poll What to cook?\nBeans\nRice");
  await done(
    ada.post("/messages", {
      type: "direct",
      to: [harness.user("gus").id, harness.user("elin").id],
      content: "Who brings plates?",
    }),
  );
  const members = [harness.user("ada").id, harness.user("gus").id];
  await done(ada.post("/user_groups/create", { name: "cooks", description: "They cook", members }));
  await done(ada.post("/realm/filters", { pattern: "#(?P<id>[0-9]+)", url_template: "https://x.test/{id}" }));
  await done(ada.patch(`/streams/${harness.channelId("kitchen")}`, { description: "Where it is *warm*" }));
  await done(ada.patch("/realm", { message_content_edit_limit_seconds: 7200, waiting_period_threshold: 3 }));
}

/** Rows of all tables, each after those it refers to. */
async function rowsOf(database: Database): Promise<OldRows["rows"]> {
  const found = await database.query<{ name: string; needs: string[] | null; columns: string[] }>(sql`
    select c.relname as name,
      (select array_agg(distinct f.relname::text) from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`);
  const waiting = new Map(found.map((table) => [table.name, table]));
  const rows: OldRows["rows"] = {};
  while (waiting.size > 0) {
    const next = [...waiting.values()].find(({ needs }) => !(needs ?? []).some((name) => waiting.has(name)));
    if (!next) throw new Error(`tables that refer to each other: ${[...waiting.keys()]}`);
    waiting.delete(next.name);
    if (notRecorded.includes(next.name)) continue;
    const columns = next.columns.map((name) => `"${name}"`).join(", ");
    const read = new Sql(
      `select to_json(t) as row from (select ${columns} from "${next.name}" order by ${columns}) t`,
      [],
      undefined,
    );
    rows[next.name] = (await database.query<{ row: object }>(read)).map(({ row }) => row);
  }
  return rows;
}

async function sequencesOf(database: Database): Promise<OldRows["sequences"]> {
  const all = await database.query<{ name: string; last: string | null }>(sql`
    select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public'`);
  return Object.fromEntries(all.map(({ name, last }) => [name, last]));
}

function filesIn(directory: string): RecordedRelease["files"] {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)));
  return Object.fromEntries(
    names.sort().map((name) => [name, readFileSync(path.join(directory, name)).toString("base64")]),
  );
}
