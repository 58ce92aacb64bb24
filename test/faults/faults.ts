import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../harness/random.ts";
import { type Cluster, pickNode } from "./cluster.ts";
import type { DatabaseProcesses } from "./database-processes.ts";

const FOUND_MS = 15_000;

/** Something that goes wrong. Resolves when it has happened; nobody is asked to put it right. */
export type Fault = (cluster: Cluster, random: Random) => Promise<void>;

export const faults = {
  "SIGTERM of a server": (cluster, random) => pickNode(cluster, random).end("SIGTERM"),
  "SIGKILL of a server": (cluster, random) => pickNode(cluster, random).end("SIGKILL"),
  "SIGKILL of a database session": async (cluster, random) => {
    // A session may have ended by itself since it was found.
    let isKilled = false;
    while (!isKilled) {
      const { backends } = await database(cluster, "a session", (found) => found.backends.length > 0);
      isKilled = kill(random.pick(backends));
    }
  },
  "SIGKILL of the checkpointer": async (cluster) => {
    const { checkpointer } = await database(cluster, "the checkpointer", (found) => !!found.checkpointer);
    kill(checkpointer as number);
  },
  "SIGKILL of the postmaster": endDatabase,
  "SIGKILL of a server and the postmaster": async (cluster, random) => {
    await Promise.all([endDatabase(cluster), pickNode(cluster, random).end("SIGKILL")]);
  },
} satisfies Record<string, Fault>;

/** What only several servers can go through. */
export const faultsOfSeveral = {
  // Until everything has been looked at; the others have it all to themselves meanwhile.
  "SIGKILL of a server that stays away": async (cluster, random) => {
    await pickNode(cluster, random).endForLong("SIGKILL");
    await sleep(random.between(200, 800));
  },
  "restart of all servers, one after another": async ({ nodes }) => {
    for (const node of nodes) {
      await node.end("SIGTERM");
      await node.ready();
    }
  },
} satisfies Record<string, Fault>;

/** What only a server of several processes can go through. */
export const faultsOfWorkers = {
  "SIGKILL of a worker": async (cluster, random) => {
    kill(random.pick(await workersOf(cluster)));
  },
  "SIGKILL of all workers": async (cluster) => {
    for (const pid of await workersOf(cluster)) kill(pid);
  },
} satisfies Record<string, Fault>;

export const allFaults: Record<string, Fault> = { ...faults, ...faultsOfSeveral, ...faultsOfWorkers };

/** Those of the first server, once it has any. */
async function workersOf({ nodes }: Cluster): Promise<number[]> {
  const deadline = Date.now() + FOUND_MS;
  for (;;) {
    const workers = nodes[0]?.workers ?? [];
    if (workers.length > 0) return workers;
    if (Date.now() > deadline) throw new Error(`no worker was there within ${FOUND_MS} ms`);
    await sleep(5);
  }
}

async function endDatabase(cluster: Cluster): Promise<void> {
  const { postmaster } = await database(cluster, "the postmaster");
  kill(postmaster);
  while (cluster.database()?.postmaster === postmaster) await sleep(5);
}

/** The database's processes, once it runs and has what is looked for. */
async function database(
  cluster: Cluster,
  what: string,
  has: (found: DatabaseProcesses) => boolean = () => true,
): Promise<DatabaseProcesses> {
  const deadline = Date.now() + FOUND_MS;
  for (;;) {
    const found = cluster.database();
    if (found && has(found)) return found;
    if (Date.now() > deadline) throw new Error(`${what} of the database was not there within ${FOUND_MS} ms`);
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
