import { existsSync } from "node:fs";
import path from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../server/platform/postgres/launcher.ts";
import type { Random } from "../harness/random.ts";
import { type DatabaseProcesses, findDatabase } from "./database-processes.ts";
import { program, ServerProcess } from "./server-process.ts";

/**
 * Servers that share a database: one, of one process or more, with the PostgreSQL that it starts itself, or
 * several on one outside.
 */
export interface Cluster {
  nodes: readonly ServerProcess[];
  database(): DatabaseProcesses | undefined;
  /** The address of a server that listens, if there is one. `index`: the one that is asked first. */
  address(index: number): string | undefined;
  stop(): Promise<void>;
}

/** `dataDir` is one that a demo server has used. */
export async function startOne(dataDir: string, workers = 0): Promise<Cluster> {
  demandParts();
  const node = new ServerProcess("the server", { PARLEY_DATA_DIR: dataDir }, workers);
  node.start();
  await node.ready();
  return clusterOf([node], dataDir, () => node.stop());
}

/**
 * Every server gets an empty data directory of its own from `ownDirectory`. They share the files in
 * `dataDir`.
 */
export async function startSeveral(
  count: number,
  dataDir: string,
  ownDirectory: () => string,
): Promise<Cluster> {
  demandParts();
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir });
  const { host, user, database } = postgres.connection;
  const nodes = Array.from({ length: count }, (_, index) => {
    return new ServerProcess(`server ${index + 1} of ${count}`, {
      DATABASE_URL: `postgresql://${user}@${encodeURIComponent(host)}/${database}`,
      PARLEY_DATA_DIR: ownDirectory(),
      PARLEY_FILES: path.join(dataDir, "files"),
    });
  });
  for (const node of nodes) node.start();
  await Promise.all(nodes.map((node) => node.ready()));
  return clusterOf(nodes, dataDir, async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await postgres.stop();
  });
}

/** The program as it was built, and the table of processes, in which those to be killed are found. */
function demandParts(): void {
  if (!existsSync(program)) throw new Error(`${program} is missing: npm run build makes it`);
  if (!existsSync("/proc/self/stat")) throw new Error("/proc is missing: faults can be made on Linux alone");
}

function clusterOf(nodes: readonly ServerProcess[], dataDir: string, stop: () => Promise<void>): Cluster {
  return {
    nodes,
    database: () => findDatabase(dataDir),
    address(index) {
      const first = nodes[index % nodes.length]?.url;
      return first ?? nodes.find((node) => node.url !== undefined)?.url;
    },
    stop,
  };
}

/** One of the servers that listen. */
export function pickNode({ nodes }: Cluster, random: Random): ServerProcess {
  const up = nodes.filter((node) => node.url !== undefined);
  return random.pick(up.length > 0 ? up : nodes);
}
