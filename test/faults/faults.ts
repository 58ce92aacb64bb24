import { setTimeout as sleep } from "node:timers/promises";
import { type Cluster, pickNode } from "./cluster.ts";
import type { DatabaseProcesses } from "./database-processes.ts";
import type { Random } from "./random.ts";
import type { ServerProcess } from "./server-process.ts";

/** Something that goes wrong. Resolves when it has happened; nobody is asked to put it right. */
export type Fault = (cluster: Cluster, random: Random) => Promise<void>;

export const faults = {
  "SIGTERM of a server": (cluster, random) => end(pickNode(cluster, random), "SIGTERM"),
  "SIGKILL of a server": (cluster, random) => end(pickNode(cluster, random), "SIGKILL"),
  "SIGKILL of a database session": async (cluster, random) => {
    // A session may have ended by itself since it was found.
    let isKilled = false;
    while (!isKilled) {
      const { backends } = await database(cluster, (found) => found.backends.length > 0);
      isKilled = kill(random.pick(backends));
    }
  },
  "SIGKILL of the checkpointer": async (cluster) => {
    const { checkpointer } = await database(cluster, (found) => found.checkpointer !== undefined);
    kill(checkpointer as number);
  },
  "SIGKILL of the postmaster": endDatabase,
  "SIGKILL of a server and the postmaster": async (cluster, random) => {
    await Promise.all([endDatabase(cluster), end(pickNode(cluster, random), "SIGKILL")]);
  },
} satisfies Record<string, Fault>;

/** What only several servers can go through. */
export const faultsOfSeveral = {
  "restart of all servers, one after another": async ({ nodes }) => {
    for (const node of nodes) {
      await end(node, "SIGTERM");
      await node.ready();
    }
  },
} satisfies Record<string, Fault>;

export const allFaults: Record<string, Fault> = { ...faults, ...faultsOfSeveral };

/** Resolves when the process is gone: until then it may look as if nothing had happened. */
async function end(node: ServerProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  const { length } = node.ends;
  node.kill(signal);
  while (node.ends.length === length) await sleep(5);
}

async function endDatabase(cluster: Cluster): Promise<void> {
  const { postmaster } = await database(cluster);
  kill(postmaster);
  while (cluster.database()?.postmaster === postmaster) await sleep(5);
}

/** The database's processes, once it runs and has what is looked for. */
async function database(
  cluster: Cluster,
  has: (found: DatabaseProcesses) => boolean = () => true,
): Promise<DatabaseProcesses> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const found = cluster.database();
    if (found && has(found)) return found;
    if (Date.now() > deadline) throw new Error("the database did not come back");
    await sleep(5);
  }
}

/** False when the process was gone already. */
function kill(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}
