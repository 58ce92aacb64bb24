/** Takes back an import that has not ended. Nobody has used its organization, so all of it goes. */
import { deletePastFiles } from "../../content/past.ts";
import type { Services } from "../../services.ts";
import { withImportLock } from "./import-lock.ts";
import { deleteOrganization, deleteRowsOf, findImportByHost, listOrganizationTables } from "./store.ts";

const BATCH = 5000;

type Uses = Pick<Services, "database" | "files">;

/**
 * `finished`: it has ended, and people may use the organization. Throws an ImportUnderWay while a process
 * writes it.
 */
export function cancelImport(services: Uses, host: string): Promise<"cancelled" | "not found" | "finished"> {
  return withImportLock(services.database, host, () => takeBack(services, host));
}

/** The same for a caller that has the import's lock. */
export async function takeBack(
  { database, files }: Uses,
  host: string,
): Promise<"cancelled" | "not found" | "finished"> {
  const row = await findImportByHost(database, host);
  if (!row) return "not found";
  if (row.finishedAt !== null) return "finished";
  const { organizationId } = row;
  await deletePastFiles({ database, files }, organizationId);
  // The import's own row goes last: until then, this can be called again.
  const tables = (await listOrganizationTables(database)).filter((table) => table !== "imports");
  for (const table of tables) {
    for (;;) {
      const deleted = await database.transaction((tx) => deleteRowsOf(tx, table, organizationId, BATCH), {
        lane: "background",
      });
      if (deleted < BATCH) break;
    }
  }
  await database.transaction(async (tx) => {
    await deleteRowsOf(tx, "imports", organizationId, 1);
    await deleteOrganization(tx, organizationId);
  });
  return "cancelled";
}
