import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportTypes } from "../../../api/administration/exports.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { callerAt } from "../../../test/harness/caller-at.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { WholeArchive } from "../../../test/harness/whole-archive.ts";
import { liveThrough } from "../../../test/harness/whole-person.ts";
import { writeExport } from "../../administration/exports/write.ts";
import { exportsOfModules } from "../../modules.ts";
import { ownSchema } from "../../platform/db/migrate.ts";
import { sql } from "../../platform/db/sql.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import { unpack } from "../archive/unpack.ts";
import { Report } from "../core/report.ts";
import { readWhole } from "./check.ts";
import { isSafeHtml } from "./texts.ts";
import { writeWhole } from "./write.ts";

let harness: Harness;
let folder: string;
let whole: WholeArchive;
beforeAll(async () => {
  harness = await createHarness();
  folder = await mkdtemp(join(tmpdir(), "parley-hostile-"));
  await liveThrough(harness, "dev");
  const ada = harness.as("ada");
  const linkifier = { pattern: "#(?P<id>[0-9]+)", url_template: "https://recipes.test/{id}" };
  await expectSuccess(ada.post("/realm/filters", linkifier));
  const playground = { name: "Play", pygments_language: "Rust", url_template: "https://play.test/{code}" };
  await expectSuccess(ada.post("/realm/playgrounds", playground));
  const path = join(folder, "whole.tar.gz");
  await exportTo(path, "whole");
  whole = await WholeArchive.read(path);
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true, force: true });
});

async function exportTo(path: string, type: "whole" | 1): Promise<void> {
  const { files } = harness.services;
  await writeExport(harness.state, path, { type, reader: undefined, given: exportsOfModules(), files });
}

async function runFile(path: string, host: string) {
  const report = new Report();
  const archive = await unpack(path, await mkdtemp(join(folder, "run-")));
  const read = await readWhole(archive, { schema: ownSchema(), report });
  await writeWhole(harness.services, read, { host, name: undefined }, report);
  return report;
}

async function run(archive: WholeArchive, host: string, options?: { withSums: boolean }) {
  const written = await archive.write(options);
  try {
    return await runFile(written.path, host);
  } finally {
    await written.remove();
  }
}

/** The sentence with which an archive is refused. Nothing of it may stay. */
async function refusalOf(archive: WholeArchive, options?: { withSums: boolean }): Promise<string> {
  const error = await run(archive, "hostile.test", options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ArchiveError);
  const rows = await harness.services.database.query(
    sql`select from organizations where host = 'hostile.test'`,
  );
  expect(rows).toEqual([]);
  return (error as Error).message;
}

const changed = (table: string, fields: object, place = 0) =>
  whole
    .copy()
    .change(table, (rows) => rows.map((row, index) => (index === place ? { ...row, ...fields } : row)));

test("an archive that is torn or damaged is refused", async () => {
  const torn = whole.copy();
  torn.files.delete("complete.json");
  expect(await refusalOf(torn)).toMatch(/cut off/);
  const shorter = whole.copy();
  shorter.files.delete("tables/messages/000001.jsonl");
  expect(await refusalOf(shorter, { withSums: false })).toMatch(/messages.*missing/);
  const without = whole.copy();
  without.files.delete("tables/alert_words/000001.jsonl");
  expect(await refusalOf(without)).toMatch(/says that it has 1 rows of tables\/alert_words/);
  expect(await refusalOf(changed("users", { full_name: "Else" }), { withSums: false })).toMatch(/damaged/);
  const [file = ""] = [...whole.files.keys()].filter((name) => name.startsWith("files/uploads/"));
  const other = whole.copy();
  other.files.set(file, Buffer.from(String(other.files.get(file)).toUpperCase()));
  expect(await refusalOf(other)).toMatch(/damaged|does not fit/);
  const cut = whole.copy();
  const messages = cut.files.get("tables/messages/000001.jsonl") as Buffer;
  cut.files.set("tables/messages/000001.jsonl", messages.subarray(0, messages.length - 20));
  expect(await refusalOf(cut)).toMatch(/ends in the middle/);
  const more = whole.copy();
  more.files.set("tables/secrets/000001.jsonl", Buffer.from("{}\n"));
  expect(await refusalOf(more, { withSums: false })).toMatch(/does not belong/);
});

test("an export for others to see, and one of another version, are refused with what to do", async () => {
  const path = join(folder, "public.tar.gz");
  await exportTo(path, exportTypes.public);
  await expect(runFile(path, "hostile.test")).rejects.toThrow("Use parley export --everything.");
  const schema = ownSchema();
  expect(await refusalOf(whole.copy().changeHead({ schema: schema - 1 }))).toMatch(/Upgrade that server/);
  expect(await refusalOf(whole.copy().changeHead({ schema: schema + 1 }))).toMatch(/Upgrade this server/);
  expect(await refusalOf(whole.copy().changeHead({ version: 3 }))).toMatch(/Upgrade this server/);
});

test.each<[string, object, RegExp]>([
  ["subscriptions", { user_id: 999_999 }, /wrong user_id in line 1/],
  ["subscriptions", { channel_id: 999_999 }, /wrong channel_id/],
  ["messages", { id: 2 ** 50 }, /wrong id/],
  ["messages", { recipient_id: 999_999 }, /wrong recipient_id/],
  ["messages", { topic_id: null }, /wrong topic_id/],
  ["messages", { content: "a\0b" }, /wrong content/],
  ["messages", { sent_at: "now" }, /wrong sent_at/],
  ["messages", { facts: "1" }, /wrong facts/],
  ["users", { role: 50 }, /wrong role/],
  ["users", { avatar_file: "../../2/avatars/x" }, /wrong avatar_file/],
  ["users", { is_system: true }, /not that of one organization/],
  ["uploads", { storage_key: "../1/uploads/aa/000000000000000000000000" }, /wrong storage_key/],
  ["uploads", { path: "aa/000000000000000000000000/x.txt" }, /wrong path/],
  ["groups", { system_role: null }, /each group of roles once/],
  ["groups", { settings: { can_manage_group: 999_999 } }, /wrong settings/],
  ["conversations", { user_ids: [2, 1] }, /wrong user_ids/],
  ["read_states", { ranges: "{[1,2)); drop table users" }, /wrong ranges/],
  ["read_states", { ranges: "{[1,9007199254740993)}" }, /wrong ranges/],
  ["organizations", { name: "" }, /wrong name/],
  ["users", { email: "dev@moved.test, everybody@elsewhere.test" }, /wrong email/],
  ["users", { email: "dev@moved.test\r\nBcc: everybody@elsewhere.test" }, /wrong email/],
  ["invitations", { email: "rosa@moved.test,everybody@elsewhere.test" }, /wrong email/],
  ["invitations", { email: null }, /wrong email/],
  ["linkifiers", { url_template: "javascript:alert({id})" }, /wrong url_template/],
  ["playgrounds", { url_template: "javascript:alert({code})" }, /wrong url_template/],
  ["audit_log", { changes: { name: { old: "a\0b" } } }, /wrong changes/],
  ["audit_log", { changes: { name: { "\ud800": 1 } } }, /wrong changes/],
])("a row of %s with %j is refused", async (table, fields, sentence) => {
  expect(whole.rows(table).length).toBeGreaterThan(0);
  expect(await refusalOf(changed(table, fields))).toMatch(sentence);
});

test("objects in objects are refused before they exhaust the stack", async () => {
  let changes = {};
  for (let depth = 0; depth < 200; depth++) changes = { a: changes };
  expect(await refusalOf(changed("audit_log", { changes }))).toMatch(/wrong changes/);
});

test("an archive without an owner is refused", async () => {
  const none = whole.copy().change("users", (rows) => rows.map((row) => ({ ...row, role: 400 })));
  expect(await refusalOf(none)).toMatch(/no owner/);
});

test("what only the database finds wrong is taken back", async () => {
  const [first] = whole.rows("users").filter(({ is_system }) => !is_system);
  const twice = whole
    .copy()
    .change("users", (rows) => rows.map((row) => (row.is_system ? row : { ...row, email: first?.email })));
  expect(await refusalOf(twice)).toMatch(/contradicts itself.*users_email/);
});

test("HTML that no server writes becomes the text as it was typed, and settings that are wrong are left out", async () => {
  const html = `<p>Hi</p><img src="/x" onerror="alert(1)">`;
  const tracked = `<p><img src="https://elsewhere.test/pixel.png"></p>`;
  const archive = whole
    .copy()
    .change("messages", (rows) =>
      rows.map((row, index) =>
        index < 2
          ? { ...row, content: "first <b>\nsecond", rendered_content: index === 0 ? html : tracked }
          : row,
      ),
    )
    .change("users", (rows) => rows.map((row) => ({ ...row, settings: { color_scheme: "x", nothing: 1 } })));
  const report = await run(archive, "unsafe.test");
  expect([...report.losses.keys()].sort()).toEqual([
    expect.stringMatching(/settings that this server does not have/),
    expect.stringMatching(/whose HTML no server writes/),
  ]);
  const ada = await callerAt(harness, "unsafe.test", harness.user("ada").email);
  const { messages } = await expectSuccess(
    ada.get("/messages", { anchor: "oldest", num_before: 0, num_after: 2 }),
  );
  for (const { content } of messages) expect(content).toBe("<p>first &lt;b&gt;<br>\nsecond</p>");
});

test.each([
  ["a line break before the address", `<p><img\nsrc="https://elsewhere.test/pixel.png"></p>`],
  ["a backslash", `<p><img src="/\\elsewhere.test/pixel.png"></p>`],
  ["a slash that is written as a number", `<p><img src="/&#47;elsewhere.test/pixel.png"></p>`],
  ["a tab between the slashes", `<p><img src="/\t/elsewhere.test/pixel.png"></p>`],
  ["a line break before a film's address", `<p><video\nsrc="https://elsewhere.test/film"></video></p>`],
])("HTML that would load something of another host by %s is unsafe", (_, html) => {
  expect(isSafeHtml(html)).toBe(false);
  expect(isSafeHtml(`<p><img alt="" src="/user_uploads/thumbnail/1/aa/x/y.png/840x560.webp"></p>`)).toBe(
    true,
  );
});

test("what somebody typed may look like the way in which JSON writes a character", async () => {
  const changes = { name: { old: "\\u0000 and \\ud800", new: "plain" } };
  const archive = changed("audit_log", { changes });
  await run(archive, "escapes.test");
  const rows = await harness.services.database.query<{ changes: unknown }>(sql`
    select changes from audit_log a join organizations o on o.id = a.organization_id
    where o.host = 'escapes.test' order by a.id limit 1`);
  expect(rows).toEqual([{ changes }]);
});

test("a time zone that this server does not have becomes UTC", async () => {
  const report = await run(
    whole.copy().change("users", (rows) => rows.map((row) => ({ ...row, timezone: "Mars/Olympus" }))),
    "zones.test",
  );
  expect([...report.losses.keys()]).toContainEqual(expect.stringMatching(/time zones/));
  const rows = await harness.services.database.query(sql`
    select distinct timezone from users u join organizations o on o.id = u.organization_id
    where o.host = 'zones.test'`);
  expect(rows).toEqual([{ timezone: "UTC" }]);
});

test("sizes of lost files beyond what can be counted are refused, and all is taken back", async () => {
  const archive = whole.copy().change("uploads", (rows) => {
    const [first] = rows;
    const last = rows.at(-1)?.id ?? 0;
    const lost = Array.from({ length: 1100 }, (_, index) => {
      const name = `aa/${String(index).padStart(24, "0")}`;
      const place = { storage_key: `uploads/${name}`, path: `${name}/x.txt` };
      return { ...first, ...place, id: last + 1 + index, size: Number.MAX_SAFE_INTEGER };
    });
    return [...rows, ...lost];
  });
  expect(await refusalOf(archive)).toMatch(/contradicts itself/);
});

test("the type of a file is what its bytes say, whatever the archive says", async () => {
  const archive = changed("uploads", { content_type: "text/html" });
  await run(archive, "types.test");
  const rows = await harness.services.database.query<{ type: string }>(sql`
    select content_type as type from uploads u join organizations o on o.id = u.organization_id
    where o.host = 'types.test'`);
  expect(rows.length).toBeGreaterThan(0);
  for (const { type } of rows) expect(type).not.toBe("text/html");
});

test("an import moves the counters of ids beyond its own, and not back", async () => {
  const last = async () => {
    const [row] = await harness.services.database.query<{ last: number }>(
      sql`select last_value as last from users_id_seq`,
    );
    return (row as { last: number }).last;
  };
  const far = (await last()) + 1000;
  const archive = whole
    .copy()
    .change("users", (rows) => [
      ...rows,
      { ...rows.at(-1), id: far, email: "far@far.test", is_system: false },
    ]);
  await run(archive, "far.test");
  expect(await last()).toBe(far);
  await run(whole.copy(), "near.test");
  expect(await last()).toBe(far);
});
