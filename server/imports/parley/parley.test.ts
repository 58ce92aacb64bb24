import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { callerAt } from "../../../test/harness/caller-at.ts";
import { type Caller, type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { countJobs, jobsOf } from "../../../test/harness/jobs.ts";
import { liveThrough, type WholePerson } from "../../../test/harness/whole-person.ts";
import { wholeTables } from "../../administration/exports/whole/tables.ts";
import { writeExport } from "../../administration/exports/write.ts";
import { exportsOfModules } from "../../modules.ts";
import { ownSchema } from "../../platform/db/migrate.ts";
import { Sql, sql } from "../../platform/db/sql.ts";
import { unpack } from "../archive/unpack.ts";
import { cancelImport } from "../core/cancel.ts";
import { Report } from "../core/report.ts";
import { keptIds, readWhole } from "./check.ts";
import { type WriteOptions, writeWhole } from "./write.ts";

const HOST = "moved.test";
const cast: CastName[] = ["ada", "ben", "cleo", "dev", "elin", "gus"];

let harness: Harness;
let folder: string;
let path: string;
let person: WholePerson;
beforeAll(async () => {
  harness = await createHarness();
  folder = await mkdtemp(join(tmpdir(), "parley-moved-"));
  path = join(folder, "whole.tar.gz");
  person = await liveThrough(harness, "dev");
  await write(path);
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true, force: true });
});

async function write(to: string): Promise<void> {
  await writeExport(harness.state, to, {
    type: "whole",
    reader: undefined,
    given: exportsOfModules(),
    files: harness.services.files,
  });
}

async function run(host: string, changes: Partial<WriteOptions> = {}, from = path) {
  const report = new Report();
  const unpacked = await mkdtemp(join(folder, "run-"));
  const read = await readWhole(await unpack(from, unpacked), { schema: ownSchema(), report });
  const options = { host, name: undefined, ...changes };
  return { result: await writeWhole(harness.services, read, options, report), report, read };
}

/** All rows of a table, as they are carried. New ids of the import are left out. */
async function rowsAt(host: string, name: string): Promise<unknown[]> {
  const table = wholeTables.find((each) => each.name === name);
  if (!table) throw new Error(name);
  const columns = table.columns
    .filter(({ kind }) => kind !== "id" || keptIds.has(name))
    .map((column) =>
      column.kind === "path" || column.kind === "key"
        ? `split_part(t.${column.name}, '/', 3) as ${column.name}`
        : `t.${column.name}`,
    );
  const own = name === "organizations" ? "t.id" : "t.organization_id";
  const rows = await harness.services.database.query<{ row: unknown }>(
    new Sql(
      `select to_json(r) as row from (select ${columns.join(", ")} from ${name} t
       where ${own} = (select id from organizations where host = $1)
         ${table.only === undefined ? "" : `and ${table.only}`} order by ${table.order}) r`,
      [host],
      undefined,
    ),
  );
  return rows.map(({ row }) => row);
}

test("what is imported has each row of the old organization", async () => {
  const { host } = await ownHost();
  const { report } = await run(HOST);
  expect(report.toJSON().losses).toEqual([]);
  for (const { name } of wholeTables) {
    const [before, after] = [await rowsAt(host, name), await rowsAt(HOST, name)];
    expect([name, after.length - (name === "audit_log" ? 1 : 0)]).toEqual([name, before.length]);
    if (["messages", "users", "uploads", "audit_log", "message_edits", "bots"].includes(name)) continue;
    expect([name, after]).toEqual([name, before]);
  }
});

async function ownHost(): Promise<{ host: string }> {
  const { organizationId } = harness.state;
  const [row] = await harness.services.database.query<{ host: string }>(
    sql`select host from organizations where id = ${organizationId}`,
  );
  return row as { host: string };
}

/** What differs by itself: queues, times of presence, and addresses with the organization's id. */
function comparable(value: unknown, from: number, to: number): unknown {
  const text = JSON.stringify(value)
    .replaceAll(`/user_uploads/${from}/`, `/user_uploads/${to}/`)
    .replaceAll(`/user_avatars/${from}/`, `/user_avatars/${to}/`)
    .replaceAll(`"${from}/`, `"${to}/`)
    .replace(/"sender_realm_str":"[^"]*"/g, `"sender_realm_str":"moved"`);
  return JSON.parse(text);
}

const everything = { anchor: "oldest", num_before: 0, num_after: 1000 };

test.each(cast)("%s sees the same in both, and can load the same files", async (name) => {
  const from = harness.state.organizationId;
  const there = await callerAt(harness, HOST, harness.user(name).email);
  const here = harness.as(name);
  const to = (await harness.services.organizations.byHost(HOST))?.organizationId as number;
  expect(to).not.toBe(from);
  const messagesOf = async (caller: Caller, narrow: object[]) =>
    (await expectSuccess(caller.get("/messages", { ...everything, narrow }))).messages;
  for (const narrow of [
    [],
    [{ operator: "is", operand: "starred" }],
    [{ operator: "is", operand: "dm" }],
    [{ operator: "is", operand: "unread" }],
    [{ operator: "has", operand: "attachment" }],
  ]) {
    const [before, after] = [await messagesOf(here, narrow), await messagesOf(there, narrow)];
    expect(after).toEqual(comparable(before, from, to));
  }
  for (const place of [
    "/users",
    "/users/me/subscriptions",
    "/streams",
    "/user_groups",
    "/drafts",
    "/saved_snippets",
    "/attachments",
    "/realm/emoji",
    "/realm/profile_fields",
    "/users/me/alert_words",
  ]) {
    const before = await here.get(place);
    const after = await there.get(place);
    expect([place, after.status]).toEqual([place, before.status]);
    const [left, right] = [withoutOwn(before.body), withoutOwn(after.body)];
    expect([place, right]).toEqual([place, comparable(left, from, to)]);
  }
});

/** Bots of the service have the host name in their addresses. Ids that nothing names are new. */
function withoutOwn(body: unknown): unknown {
  const text = JSON.stringify(body, (key, value) => {
    if (key === "drafts" || key === "saved_snippets" || key === "attachments") {
      return (value as { id: number }[]).map(({ id: _, ...rest }) => rest);
    }
    return value;
  });
  return JSON.parse(text.replace(/notification-bot@[a-z.]+/g, "notification-bot@").replace(/\?v=\d+/g, ""));
}

test("files and pictures can be loaded from their new addresses", async () => {
  const to = (await harness.services.organizations.byHost(HOST))?.organizationId as number;
  const from = harness.state.organizationId;
  const there = await callerAt(harness, HOST, harness.user("dev").email);
  const moved = person.urls.sent.replace(`/${from}/`, `/${to}/`);
  expect(moved).not.toBe(person.urls.sent);
  const { organizationId } = harness.state;
  const keys = await harness.services.database.query<{ key: string; size: number }>(
    sql`select storage_key as key, size from uploads where organization_id = ${organizationId}`,
  );
  for (const { key, size } of keys) {
    expect(await harness.services.files.size(key.replace(`${from}/`, `${to}/`))).toBe(size);
  }
  const { user } = await expectSuccess(there.get(`/users/${harness.user("dev").id}`));
  const picture = String((user as { avatar_url: string }).avatar_url);
  expect(picture).toContain(`/user_avatars/${to}/`);
  const loaded = await harness.app.inject({ method: "GET", url: picture, headers: { host: HOST } });
  expect(loaded.statusCode).toBe(200);
});

test("new people, channels and messages get ids beyond those that came", async () => {
  const ada = await callerAt(harness, HOST, harness.user("ada").email);
  const { messages } = await expectSuccess(ada.get("/messages", everything));
  const last = Math.max(...messages.map(({ id }: { id: number }) => id));
  await expectSuccess(ada.post("/users/me/subscriptions", { subscriptions: [{ name: "after the move" }] }));
  const sent = await expectSuccess(
    ada.post("/messages", { type: "channel", to: "after the move", topic: "new", content: "here" }),
  );
  expect(sent.id).toBeGreaterThan(last);
});

test("a second run changes nothing, and another archive is refused", async () => {
  expect((await run(HOST)).result).toBe("imported before");
  const other = join(folder, `${randomUUID()}.tar.gz`);
  await write(other);
  await expect(run(HOST, {}, other)).rejects.toThrow("came from another archive");
});

/** Aborts at the n-th check of the signal. */
function endingAt(count: number): AbortSignal {
  const controller = new AbortController();
  let checks = 0;
  Object.defineProperty(controller.signal, "throwIfAborted", {
    value() {
      if (++checks >= count) throw new Error("stopped");
    },
  });
  return controller.signal;
}

test("an interrupted import answers nobody and goes on where it stopped", async () => {
  const host = "stopped.test";
  let stops = 0;
  for (let count = 4; ; count += 9) {
    const stopped = await run(host, { signal: endingAt(count) }).catch((error: Error) => error);
    if (!(stopped instanceof Error)) break;
    expect(stopped.message).toBe("stopped");
    expect(await harness.services.organizations.byHost(host)).toBeUndefined();
    stops++;
  }
  expect(stops).toBeGreaterThan(1);
  for (const { name } of wholeTables) {
    expect([name, (await rowsAt(host, name)).length]).toEqual([
      name,
      (await rowsAt((await ownHost()).host, name)).length + (name === "audit_log" ? 1 : 0),
    ]);
  }
});

test("an interrupted import disturbs no job of the others", async () => {
  let batches = 0;
  await run("counted.test", { onWritten: () => batches++ });
  const stopAt = batches - 1;
  batches = 0;
  const onWritten = () => {
    if (++batches === stopAt) throw new Error("stopped");
  };
  const host = "disturbing.test";
  await expect(run(host, { onWritten })).rejects.toThrow("stopped");
  expect(await rowsAt(host, "old_read_states")).not.toEqual([]);
  const { services } = harness;
  await services.database.query(sql`
    update invitations set invited_at = now() - interval '9 days', expires_at = now() + interval '1 day'
    where organization_id = (select id from organizations where host = ${host})`);
  expect(await rowsAt(host, "invitations")).not.toEqual([]);
  const given = { signal: new AbortController().signal, dueAt: new Date() };
  for (const name of ["convert_read_states", "remind_of_invitations"]) {
    const job = jobsOf({ mailer: { ...services.mailer, canSend: true } }).find((each) => each.name === name);
    await job?.run(services, {}, given);
    expect([name, job?.name]).toEqual([name, name]);
  }
  expect(await rowsAt("counted.test", "old_read_states")).toEqual([]);
  expect(await rowsAt(host, "old_read_states")).not.toEqual([]);
  expect(await countJobs(services, "remind_of_invitation")).toBe(0);
  await cancelImport(services, host);
});

test("nobody is reminded of an invitation that was imported", async () => {
  const rows = await harness.services.database.query<{ isReminded: boolean }>(sql`
    select reminded_at is not null as "isReminded" from invitations
    where organization_id = (select id from organizations where host = ${HOST})`);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ isReminded }) => isReminded)).toBe(true);
});

test("an import that is taken back leaves neither rows nor files", async () => {
  const host = "cancelled.test";
  let checks = 0;
  const counting = new AbortController().signal;
  Object.defineProperty(counting, "throwIfAborted", { value: () => checks++ });
  await run("uncancelled.test", { signal: counting });
  // The last of them: all rows and files are there.
  await expect(run(host, { signal: endingAt(checks) })).rejects.toThrow("stopped");
  const { database, files } = harness.services;
  const [row] = await database.query<{ id: number }>(sql`select id from organizations where host = ${host}`);
  const { id } = row as { id: number };
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of files.list()) if (key.startsWith(`${id}/`)) found.push(key);
    return found;
  };
  expect((await keys()).length).toBeGreaterThan(2);
  expect(await cancelImport(harness.services, host)).toBe("cancelled");
  for (const { name } of wholeTables) expect([name, await rowsAt(host, name)]).toEqual([name, []]);
  expect(await keys()).toEqual([]);
});
