import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { liveThrough } from "../../../test/harness/whole-person.ts";
import { writeExport } from "../../administration/exports/write.ts";
import { exportsOfModules } from "../../modules.ts";
import { ownSchema } from "../../platform/db/migrate.ts";
import { Sql, sql } from "../../platform/db/sql.ts";
import { unpack } from "../archive/unpack.ts";
import { ImportUnderWay } from "../core/import-lock.ts";
import { Report } from "../core/report.ts";
import { readWhole } from "./check.ts";
import { writeWhole } from "./write.ts";

/** As if the connection that holds the lock had broken. */
vi.mock("../core/import-lock.ts", async (importOriginal) => ({
  ...(await importOriginal<object>()),
  withImportLock: (_database: unknown, _host: string, work: () => Promise<unknown>) => work(),
}));

const HOST = "twice.test";

let harness: Harness;
let folder: string;
beforeAll(async () => {
  harness = await createHarness();
  folder = await mkdtemp(join(tmpdir(), "parley-twice-"));
  await liveThrough(harness, "dev");
  await writeExport(harness.state, join(folder, "whole.tar.gz"), {
    ...{ type: "whole", reader: undefined, given: exportsOfModules() },
    files: harness.services.files,
  });
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true, force: true });
});

async function run(onWritten?: () => void) {
  const report = new Report();
  const archive = await unpack(join(folder, "whole.tar.gz"), await mkdtemp(join(folder, "run-")));
  const read = await readWhole(archive, { schema: ownSchema(), report });
  return writeWhole(harness.services, read, { host: HOST, name: undefined, onWritten }, report);
}

async function importedId(): Promise<number> {
  const [row] = await harness.services.database.query<{ id: number }>(
    sql`select id from organizations where host = ${HOST}`,
  );
  return row?.id ?? 0;
}

async function countOf(table: string, organizationId: number): Promise<number> {
  const [row] = await harness.services.database.query<{ count: number }>(
    new Sql(
      `select count(*)::int as count from ${table} where organization_id = $1`,
      [organizationId],
      undefined,
    ),
  );
  return row?.count ?? 0;
}

test("of two processes that go on with an import after its lock was lost, one writes each row", async () => {
  const stop = () => {
    throw new Error("stopped");
  };
  await expect(run(stop)).rejects.toThrow("stopped");
  const ends = await Promise.allSettled([run(), run()]);
  const failures = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  expect(failures.every((failure) => failure instanceof ImportUnderWay)).toBe(true);
  expect(failures.length).toBeGreaterThan(0);
  if (failures.length === ends.length) await run();
  for (const table of ["messages", "message_edits", "subscriptions", "reactions"]) {
    const before = await countOf(table, harness.state.organizationId);
    expect(before).toBeGreaterThan(0);
    expect([table, await countOf(table, await importedId())]).toEqual([table, before]);
  }
});
