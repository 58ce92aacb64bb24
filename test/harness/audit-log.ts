import { afterAll, beforeAll, beforeEach } from "vitest";
import { sql } from "../../server/platform/db/sql.ts";
import { expectSuccess } from "./answers.ts";
import { createHarness, type Harness } from "./harness.ts";

// biome-ignore lint/suspicious/noExplicitAny: each answer is checked against its declaration first.
export type AuditEntry = any;

/** A server for the tests of a file, and what its audit log has of the test that runs. */
export function useAuditLog() {
  let harness: Harness;
  /** The newest entry when the test began. */
  let start = 0;
  const newestEntries = async (parameters: Record<string, unknown> = {}): Promise<AuditEntry[]> =>
    (await expectSuccess(harness.as("ada").get("/realm/audit_log", parameters))).entries;
  const begin = async () => {
    start = (await newestEntries({ limit: 1 }))[0]?.id ?? 0;
  };
  beforeAll(async () => {
    harness = await createHarness();
  });
  afterAll(() => harness.close());
  beforeEach(begin);
  return {
    get harness() {
      return harness;
    },
    get start() {
      return start;
    },
    /** Leaves out of `recorded` what the test has done so far. */
    begin,
    newestEntries,
    /** What the test has done, the oldest first: actor, action, target and changes. */
    async recorded() {
      const entries = (await newestEntries({ limit: 100 })).filter(({ id }) => id > start).reverse();
      return entries.map(({ actor_id, action, target_id, changes }) => [
        actor_id,
        action,
        target_id,
        changes,
      ]);
    },
    /** All entries of all organizations as text. */
    async wholeTable(): Promise<string> {
      const rows = await harness.services.database.query<{ text: string }>(
        sql`select audit_log::text as text from audit_log`,
      );
      return rows.map(({ text }) => text).join("\n");
    },
  };
}
