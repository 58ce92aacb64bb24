import { afterAll, beforeAll, beforeEach } from "vitest";
import { sql } from "../../server/platform/db/sql.ts";
import { expectSuccess } from "./answers.ts";
import type { CastName } from "./cast.ts";
import { createHarness, type Harness, HOST } from "./harness.ts";
import { runJobs } from "./jobs.ts";

export const PUBLIC = 1;
export const WITH_CONSENT = 2;

/** A server for the tests of a file, each of which may begin exports. */
export function useExports() {
  let harness: Harness;
  beforeAll(async () => {
    harness = await createHarness();
  });
  afterAll(() => harness.close());
  // The limit of exports in a week counts none of an earlier test.
  beforeEach(() =>
    harness.services.database.query(sql`update exports set requested_at = requested_at - interval '8 days'`),
  );
  return {
    get harness() {
      return harness;
    },
    runJobs: () => runJobs(harness.services),
    async begin(export_type = PUBLIC, name: CastName = "ada"): Promise<number> {
      return (await expectSuccess(harness.as(name).post("/export/realm", { export_type }))).id;
    },
    /** As the list of the administrator has it. */
    async find(id: number, name: CastName = "ada") {
      const { exports } = await expectSuccess(harness.as(name).get("/export/realm"));
      return exports.find((each: { id: number }) => each.id === id);
    },
    download: (path: string, host = HOST) =>
      harness.app.inject({ method: "GET", url: path, headers: { host } }),
    async fileKey(id: number): Promise<string | null> {
      const [row] = await harness.services.database.query<{ key: string | null }>(
        sql`select file_key as key from exports where id = ${id}`,
      );
      return (row as { key: string | null }).key;
    },
  };
}

/** An export that is done, without a file. It was asked for long ago, so it does not count against limits. */
export async function doneExport(harness: Harness, owner: CastName): Promise<number> {
  const { user, viewer } = harness.user(owner);
  const [made] = await harness.services.database.query<{ id: number }>(sql`
    insert into exports (organization_id, acting_user_id, type, status, requested_at, ended_at, progress)
    values (${viewer.state.organizationId}, ${user.id}, 1, 'done', '2020-01-01', '2020-01-01', 100)
    returning id`);
  return (made as { id: number }).id;
}
