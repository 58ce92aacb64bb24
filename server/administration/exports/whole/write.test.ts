import { createHash, randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ReadArchive, readArchive } from "../../../../test/harness/archive.ts";
import { createHarness, type Harness } from "../../../../test/harness/harness.ts";
import { liveThrough, tellingTexts } from "../../../../test/harness/whole-person.ts";
import { exportsOfModules } from "../../../modules.ts";
import { sql } from "../../../platform/db/sql.ts";
import { writeExport } from "../write.ts";
import { wholeTables } from "./tables.ts";
import { ErasureUnderWay } from "./write.ts";

let harness: Harness;
let archive: ReadArchive;

async function exported(onProgress?: () => Promise<void>): Promise<ReadArchive> {
  const path = join(tmpdir(), `parley-whole-${randomUUID()}.tar.gz`);
  try {
    await writeExport(harness.state, path, {
      type: "whole",
      reader: undefined,
      given: exportsOfModules(),
      files: harness.services.files,
      ...(onProgress && { onProgress }),
    });
    return await readArchive(await readFile(path));
  } finally {
    await rm(path, { force: true });
  }
}

beforeAll(async () => {
  harness = await createHarness();
  await liveThrough(harness, "dev");
  archive = await exported();
});
afterAll(() => harness.close());

const rowsOf = (table: string) => archive.records[`tables/${table}`] ?? [];

test("it has what people wrote and keep for themselves, with earlier texts", () => {
  const t = tellingTexts;
  for (const text of [t.draft, t.scheduled, t.snippet, t.view, t.alertWord, t.earlierText, t.status])
    expect(archive.text).toContain(text);
  expect(rowsOf("message_edits").length).toBeGreaterThan(0);
  expect(rowsOf("read_states").length).toBeGreaterThan(0);
});

test("it has no credential, nothing that is to be mailed, and nothing of another organization", () => {
  const t = tellingTexts;
  for (const text of [t.device, t.passkey, t.subject, t.mail]) expect(archive.text).not.toContain(text);
  expect(archive.text).not.toMatch(/\bpassword_hash\b|token_hash|encrypted/);
  expect(archive.text).not.toContain(harness.user("dev").apiKey);
  expect(rowsOf("users").map(({ id }) => id)).not.toContain(harness.user("zed").id);
  expect(rowsOf("organizations")).toHaveLength(1);
});

test("it has the stored files by their keys, each with a checksum", () => {
  const records = archive.records.stored_files ?? [];
  expect(records.length).toBeGreaterThan(3);
  for (const { name, size, sha256 } of records) {
    const bytes = archive.files.get(`files/${name}`) as Buffer;
    expect([bytes.length, createHash("sha256").update(bytes).digest("hex")]).toEqual([size, sha256]);
  }
  const folders = new Set(records.map(({ name }) => name.split("/")[0]));
  expect([...folders].sort()).toEqual(["avatars", "uploads"]);
});

test("its last file has the counts and checksums of all others", () => {
  expect(archive.names.at(-1)).toBe("parley-export/complete.json");
  const [{ counts, checksums }] = archive.records.complete as [
    { counts: Record<string, number>; checksums: Record<string, string> },
  ];
  for (const { name } of wholeTables) expect(counts[`tables/${name}`] ?? 0).toBe(rowsOf(name).length);
  const inIt = archive.names.map((name) => name.replace("parley-export/", ""));
  expect(Object.keys(checksums).sort()).toEqual(
    inIt.filter((name) => !name.startsWith("files/") && name !== "complete.json").sort(),
  );
  expect(archive.records.format).toEqual([
    expect.objectContaining({
      ...{ format: "parley-export", version: 2, export_type: "whole", host: expect.any(String) },
      ...{ organization_id: harness.state.organizationId, schema: expect.any(Number) },
    }),
  ]);
});

test("it is not made while somebody's data is being erased", async () => {
  const { organizationId } = harness.state;
  const { id } = harness.user("elin");
  const { database } = harness.services;
  await database.query(sql`
    insert into erasures (organization_id, user_id, keeps_messages) values (${organizationId}, ${id}, true)`);
  try {
    await expect(exported()).rejects.toThrow(ErasureUnderWay);
  } finally {
    await database.query(sql`delete from erasures where user_id = ${id}`);
  }
});

test.each([
  ["has not ended", false],
  ["has ended", true],
])("it is not made if an erasure begins meanwhile and %s", async (_, hasEnded) => {
  const { organizationId } = harness.state;
  const { id } = harness.user("elin");
  const { database } = harness.services;
  const begin = async () => {
    await database.query(sql`
      insert into erasures (organization_id, user_id, keeps_messages, finished_at)
      values (${organizationId}, ${id}, true, case when ${hasEnded} then now() end)
      on conflict (organization_id, user_id) do nothing`);
  };
  try {
    await expect(exported(begin)).rejects.toThrow(ErasureUnderWay);
  } finally {
    await database.query(sql`delete from erasures where user_id = ${id}`);
  }
  await database.query(sql`
    insert into erasures (organization_id, user_id, keeps_messages, finished_at)
    values (${organizationId}, ${id}, true, now() - interval '1 minute')`);
  expect((await exported()).names).toContain("parley-export/complete.json");
  await database.query(sql`delete from erasures where user_id = ${id}`);
});
