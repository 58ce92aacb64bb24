import { readFileSync } from "node:fs";
import path from "node:path";
import { findLockHolder } from "./lock.ts";
import type { Connection } from "./ready.ts";
import { errorCode } from "./start-error.ts";

/**
 * The connection to the PostgreSQL of the server that is running on this data directory, for commands beside
 * it. It is undefined if no server is running, or if the server uses another database.
 */
export async function findRunningPostgres(dataDir: string): Promise<Connection | undefined> {
  if ((await findLockHolder(path.resolve(dataDir))) === undefined) return undefined;
  try {
    const file = path.join(dataDir, "postgres", "postmaster.pid");
    // PostgreSQL's fourth line is the port, its fifth the directory of the socket, and its eighth the state.
    const [, , , port, host, , , value] = readFileSync(file, "utf8").split("\n");
    if (!port || !host || value?.trim() !== "ready") return undefined;
    return { host, port: Number(port), user: "parley", database: "parley" };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
