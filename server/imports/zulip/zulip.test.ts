import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { callerAt } from "../../../test/harness/caller-at.ts";
import { type Caller, createHarness, type Harness } from "../../../test/harness/harness.ts";
import {
  type ArchiveOnDisk,
  writeArchive,
  zulipEntries,
  zulipMessage,
  zulipPeople,
} from "../../../test/harness/zulip-export.ts";
import { sql } from "../../platform/db/sql.ts";
import { unpack } from "../archive/unpack.ts";
import { cancelImport } from "../core/cancel.ts";
import { type ImportOptions, readImport, writeImport } from "../core/import.ts";
import { ImportUnderWay, withImportLock } from "../core/import-lock.ts";
import { Report } from "../core/report.ts";
import { openZulip } from "./source.ts";

const GENERAL = 201;
const SECRET = 202;
const OPEN_PRIVATE = 203;
const BEN_AND_CAT = 301;

const channel = (id: number, name: string, fields: object = {}) => ({
  ...{ id, name, description: "", invite_only: false, history_public_to_subscribers: true },
  ...{ date_created: 1_600_000_000, creator: 11, ...fields },
});
const subscription = (user_profile: number, recipient: number, active = true) => ({
  ...{ user_profile, recipient, active, color: "#aabbcc", is_muted: false, pin_to_top: false },
});
const came = (id: number, event_type: number, [modified_user, modified_stream]: number[], after: number) => ({
  ...{ id, event_type, modified_user, modified_stream, event_last_message_id: after },
});

const realm = {
  zerver_realm: [{ id: 2, name: "Sample", date_created: 1_600_000_000 }],
  zerver_userprofile: zulipPeople,
  zerver_userprofile_crossrealm: [{ id: 5, email: "notification-bot@zulip.com", recipient_id: 5 }],
  zerver_stream: [
    channel(31, "general"),
    channel(32, "secret", { invite_only: true, history_public_to_subscribers: false }),
    channel(33, "board", { invite_only: true }),
  ],
  zerver_recipient: [
    { id: 111, type: 1, type_id: 11 },
    { id: 112, type: 1, type_id: 12 },
    { id: GENERAL, type: 2, type_id: 31 },
    { id: SECRET, type: 2, type_id: 32 },
    { id: OPEN_PRIVATE, type: 2, type_id: 33 },
    { id: BEN_AND_CAT, type: 3, type_id: 41 },
  ],
  zerver_subscription: [
    ...[11, 12, 13, 14].map((id) => subscription(id, GENERAL)),
    subscription(11, SECRET),
    subscription(12, SECRET, false),
    subscription(13, SECRET),
    subscription(11, OPEN_PRIVATE),
    ...[12, 13].map((id) => subscription(id, BEN_AND_CAT)),
  ],
  zerver_realmauditlog: [
    came(1, 301, [11, 32], 1000),
    came(2, 301, [12, 32], 1000),
    came(3, 303, [12, 32], 1006),
    came(4, 301, [13, 32], 1006),
  ],
  zerver_usertopic: [{ user_profile: 12, stream: 31, topic_name: "Plan", visibility_policy: 3 }],
  zerver_usergroup: [{ id: 61 }],
  zerver_namedusergroup: [{ id: 61, name: "oncall", is_system_group: false }],
  zerver_usergroupmembership: [{ user_group: 61, user_profile: 12 }],
  zerver_reaction: [
    {
      message: 1001,
      user_profile: 12,
      emoji_name: "tada",
      emoji_code: "1f389",
      reaction_type: "unicode_emoji",
    },
    {
      message: 9999,
      user_profile: 12,
      emoji_name: "tada",
      emoji_code: "1f389",
      reaction_type: "unicode_emoji",
    },
  ],
};

const PATH = "2/ab/secretsecretsecretsecret/notes.txt";
const history = [
  { user_id: 12, timestamp: 1_600_002_000, prev_content: "first words" },
  { user_id: 11, timestamp: 1_600_003_000, prev_topic: "draft", topic: "plan" },
];
const messages = [
  {
    zerver_message: [
      zulipMessage(1001, [11, GENERAL], "Ask @**Ann Lind|13** and @*oncall*, not `@**Ann Lind|13**`"),
      zulipMessage(1002, [12, GENERAL], `[notes](/user_uploads/${PATH})`, {
        edit_history: JSON.stringify(history),
        last_edit_time: 1_600_003_000,
        subject: "Plan",
      }),
      zulipMessage(1003, [13, GENERAL], "See [this](#narrow/channel/31-general/topic/plan/near/1001)"),
      zulipMessage(1005, [11, SECRET], "secret one"),
      zulipMessage(1006, [12, SECRET], "secret two"),
    ],
    zerver_usermessage: [
      { user_profile: 12, message: 1001, flags_mask: 1 },
      { user_profile: 13, message: 1001, flags_mask: 8 },
      { user_profile: 13, message: 1002, flags_mask: 2 },
      { user_profile: 12, message: 1003, flags_mask: 0 },
    ],
  },
  {
    zerver_message: [
      // Sent before the others, with a later id: somebody imported it there.
      zulipMessage(1007, [11, SECRET], "secret three", { date_sent: 1_600_000_100 }),
      zulipMessage(1008, [11, OPEN_PRIVATE], "for the board"),
      zulipMessage(1009, [12, 111], "old form of a direct message", { subject: "" }),
      zulipMessage(1010, [13, BEN_AND_CAT], "new form", { subject: "\u0007" }),
      zulipMessage(1011, [5, GENERAL], "from the service"),
      zulipMessage(1012, [15, GENERAL], "from somebody who is gone"),
    ],
    zerver_usermessage: [],
  },
];
const attachment = {
  zerver_attachment: [{ path_id: PATH, file_name: "notes.txt", owner: 12, create_time: 1_600_000_019 }],
};
const files = { "attachment.json": JSON.stringify(attachment), [`uploads/${PATH}`]: "notes!" };

let harness: Harness;
let archive: ArchiveOnDisk;
const folders: string[] = [];
beforeAll(async () => {
  harness = await createHarness();
  archive = await writeArchive(zulipEntries(realm, messages, files));
});
afterAll(async () => {
  await harness.close();
  await archive.remove();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parley-import-"));
  folders.push(folder);
  return folder;
}

async function run(host: string, changes: Partial<ImportOptions> = {}, { path }: { path: string } = archive) {
  const report = new Report();
  const options: ImportOptions = {
    ...{ host, name: undefined, owner: undefined, maxSkippedPercent: 1, folder: await newFolder() },
    ...changes,
  };
  const source = await openZulip(await unpack(path, await newFolder()), report);
  const read = await readImport(source, options, report);
  return { result: await writeImport(harness.services, read, options, report), report };
}

const everything = { anchor: "oldest", num_before: 0, num_after: 1000, apply_markdown: false };

async function textsOf(caller: Caller, narrow: object[] = []): Promise<string[]> {
  // biome-ignore lint/suspicious/noExplicitAny: what the API answers
  const { messages: found } = await expectSuccess(caller.get("/messages", { ...everything, narrow }) as any);
  return found.map(({ content }: { content: string }) => content);
}

async function countRows(host: string): Promise<Record<string, number>> {
  const { database } = harness.services;
  const [row] = await database.query<Record<string, number>>(sql`
    with o as (select id from organizations where host = ${host})
    select (select count(*) from o)::int as organizations,
      (select count(*) from users where organization_id in (select id from o))::int as users,
      (select count(*) from channels where organization_id in (select id from o))::int as channels,
      (select count(*) from subscriptions where organization_id in (select id from o))::int as subscriptions,
      (select count(*) from messages where organization_id in (select id from o))::int as messages,
      (select count(*) from message_edits where organization_id in (select id from o))::int as edits,
      (select count(*) from message_flags where organization_id in (select id from o))::int as flags,
      (select count(*) from read_states where organization_id in (select id from o))::int as "readStates",
      (select count(*) from reactions where organization_id in (select id from o))::int as reactions,
      (select count(*) from uploads where organization_id in (select id from o))::int as uploads,
      (select count(*) from topics where organization_id in (select id from o))::int as topics,
      (select count(*) from import_sources where organization_id in (select id from o))::int as sources`);
  return row as Record<string, number>;
}

test("an import has people, messages, edits, reactions, files and what is unread", async () => {
  const { report } = await run("whole.test");
  expect(report.counts.get("messages")).toEqual({ found: 11, taken: 11 });
  expect(report.counts.get("reactions")).toEqual({ found: 2, taken: 1 });
  const ben = await callerAt(harness, "whole.test", "ben@old.test");
  const { messages: found } = await expectSuccess(ben.get("/messages", everything));
  const [first, second, third] = found;
  expect(first.content).toMatch(/^Ask @\*\*Ann Lind\|\d+\*\* and @\*oncall\*, not `@\*\*Ann Lind\|13\*\*`$/);
  expect(first.flags).toEqual(["read", "mentioned"]);
  expect(first.reactions).toMatchObject([{ emoji_name: "tada" }]);
  expect(first.timestamp).toBe(1_600_001_001);
  expect(second.subject).toBe(first.subject);
  expect(third.content).toBe(
    `See [this](#narrow/channel/${first.stream_id}-general/topic/plan/near/${first.id})`,
  );
  expect(third.flags).toEqual([]);
  const path = /\/user_uploads\/[^)]+/.exec(second.content)?.[0];
  const { attachments } = await expectSuccess(ben.get("/attachments"));
  expect(attachments).toMatchObject([{ name: "notes.txt", path_id: path?.slice("/user_uploads/".length) }]);
  const { message_history: edits } = await expectSuccess(ben.get(`/messages/${second.id}/history`));
  expect(edits).toMatchObject([
    { content: "first words" },
    { prev_content: "first words" },
    { prev_topic: "draft" },
  ]);
  const cat = await callerAt(harness, "whole.test", "cat@old.test");
  const { messages: starred } = await expectSuccess(
    cat.get("/messages", { ...everything, narrow: [{ operator: "is", operand: "starred" }] }),
  );
  expect(starred.map(({ id }: { id: number }) => id)).toEqual([second.id]);
});

test("nobody reads what they did not receive, also where ids and times disagree", async () => {
  await run("access.test");
  const of = async (email: string) => textsOf(await callerAt(harness, "access.test", email));
  const ann = await of("ann@old.test");
  // The opposite: all of it is there.
  for (const text of ["secret one", "secret two", "secret three", "for the board"])
    expect(ann).toContain(text);
  const ben = await of("ben@old.test");
  expect(ben.filter((text) => /secret|board/.test(text))).toEqual([]);
  // She came after the second. The third has a later id and an earlier time.
  const cat = await of("cat@old.test");
  expect(cat.filter((text) => /secret|board/.test(text))).toEqual(["secret three"]);
  const dan = await of("dan@old.test");
  expect(dan.filter((text) => /secret|board|form/.test(text))).toEqual([]);
  expect(ann.filter((text) => /form/.test(text))).toEqual(["old form of a direct message"]);
  expect(cat.filter((text) => /form/.test(text))).toEqual(["new form"]);
});

test("somebody who left comes back to what they received and to what follows, and to no more", async () => {
  await run("return.test");
  const ann = await callerAt(harness, "return.test", "ann@old.test");
  const ben = await callerAt(harness, "return.test", "ben@old.test");
  const { user_id: benId } = await expectSuccess(ben.get("/users/me"));
  await expectSuccess(
    ann.post("/users/me/subscriptions", { subscriptions: [{ name: "secret" }], principals: [benId] }),
  );
  const texts = await textsOf(ben);
  expect(texts.filter((text) => text.startsWith("secret"))).toEqual(["secret one", "secret two"]);
});

test("without a log of subscriptions people have the messages that they have rows of, and no others", async () => {
  const { zerver_realmauditlog: _, ...silent } = realm;
  const rows = [1005, 1007].map((message) => ({ user_profile: 13, message, flags_mask: 1 }));
  const both = {
    zerver_message: messages.flatMap((file) => file.zerver_message),
    zerver_usermessage: rows,
  };
  const other = await writeArchive(zulipEntries(silent, [both]));
  await run("no-log.test", {}, other);
  await other.remove();
  const cat = await textsOf(await callerAt(harness, "no-log.test", "cat@old.test"));
  expect(cat.filter((text) => text.startsWith("secret")).sort()).toEqual(["secret one", "secret three"]);
  const ann = await textsOf(await callerAt(harness, "no-log.test", "ann@old.test"));
  expect(ann.filter((text) => /^secret|board/.test(text))).toEqual(["for the board"]);
});

test("a second run changes nothing, and another archive is refused", async () => {
  await run("twice.test");
  const before = await countRows("twice.test");
  expect((await run("twice.test")).result).toBe("imported before");
  expect(await countRows("twice.test")).toEqual(before);
  const other = await writeArchive(zulipEntries(realm, []));
  await expect(run("twice.test", {}, other)).rejects.toThrow("came from another archive");
  await other.remove();
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

test("an interrupted import answers nobody, goes on where it stopped, and equals one run", async () => {
  await run("one-run.test");
  const whole = await countRows("one-run.test");
  let stops = 0;
  for (let count = 1; ; count++) {
    const stopped = await run("stopped.test", { signal: endingAt(count) }).catch((error: Error) => error);
    if (!(stopped instanceof Error)) break;
    expect(stopped.message).toBe("stopped");
    stops++;
    expect(await harness.services.organizations.byHost("stopped.test")).toBeUndefined();
  }
  expect(stops).toBeGreaterThan(2);
  expect(await countRows("stopped.test")).toEqual(whole);
  const ann = await textsOf(await callerAt(harness, "stopped.test", "ann@old.test"));
  expect(ann.length).toBe((await textsOf(await callerAt(harness, "one-run.test", "ann@old.test"))).length);
});

test("an import that is taken back leaves no row and no file", async () => {
  const stopped = run("back.test", { signal: endingAt(3) });
  await expect(stopped).rejects.toThrow("stopped");
  expect((await countRows("back.test")).users).toBeGreaterThan(0);
  const { database } = harness.services;
  const rows = sql`select storage_key as key from uploads where organization_id = (select id from organizations where host = 'back.test')`;
  const [upload] = await database.query<{ key: string }>(rows);
  expect(await harness.services.files.size(upload?.key ?? "")).toBe(6);
  const cancel = () => cancelImport(harness.services, "back.test");
  await withImportLock(database, "back.test", () => expect(cancel()).rejects.toThrow(ImportUnderWay));
  expect(await cancel()).toBe("cancelled");
  expect(new Set(Object.values(await countRows("back.test")))).toEqual(new Set([0]));
  expect(await harness.services.files.size(upload?.key ?? "")).toBeUndefined();
  expect(await cancelImport(harness.services, "back.test")).toBe("not found");
  expect(await cancelImport(harness.services, "whole.test")).toBe("finished");
});

test("no mail, no webhook and no job follows, and people have no password", async () => {
  const { result } = await run("quiet.test");
  const id = (result as { organizationId: number }).organizationId;
  const { database } = harness.services;
  const [row] = await database.query(sql`
    select (select count(*) from mails where organization_id = ${id})::int as mails,
      (select count(*) from missed_messages where organization_id = ${id})::int as missed,
      (select count(*) from webhook_deliveries where organization_id = ${id})::int as deliveries,
      (select count(*) from events where organization_id = ${id})::int as events,
      (select count(*) from users where organization_id = ${id} and password_hash is not null)::int as passwords`);
  expect(row).toEqual({ mails: 0, missed: 0, deliveries: 0, events: 0, passwords: 0 });
});

test("an archive that is cut off, or has too much that can't come, leaves nothing", async () => {
  const entries = zulipEntries(realm, messages);
  const torn = entries.map((entry) =>
    entry.name.includes("messages-000002")
      ? { ...entry, content: String(entry.content).slice(0, -20) }
      : entry,
  );
  const cut = await writeArchive(torn);
  await expect(run("torn.test", {}, cut)).rejects.toThrow("messages-000002.json ends in the middle");
  const strangers = { zerver_message: [zulipMessage(1, [99, GENERAL], "hi")], zerver_usermessage: [] };
  const foreign = await writeArchive(zulipEntries(realm, [strangers]));
  await expect(run("torn.test", {}, foreign)).rejects.toThrow("1 of 1 messages can't be imported");
  const ownerless = await writeArchive(
    zulipEntries({ ...realm, zerver_userprofile: zulipPeople.slice(1) }, messages),
  );
  await expect(run("torn.test", {}, ownerless)).rejects.toThrow("--owner EMAIL");
  expect((await countRows("torn.test")).organizations).toBe(0);
  for (const each of [cut, foreign, ownerless]) await each.remove();
});
