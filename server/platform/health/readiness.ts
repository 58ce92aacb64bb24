import type { Health } from "./health.ts";

/** The reason in one word why a server can't serve requests now; undefined: it can. For `/ready`. */
export async function whyNotReady(health: Health): Promise<string | undefined> {
  // The disk first: a database on a full one answers what it is asked, and stores nothing.
  if ((await health.check("disk"))?.level === "down") return "disk";
  const database = await health.check("database");
  if (database?.level !== "down") return undefined;
  return database.code === "database-old" ? "schema" : "database";
}
