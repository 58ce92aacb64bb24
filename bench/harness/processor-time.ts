import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Clock ticks per second in /proc. Linux fixes this number for programs. */
const TICKS = 100;

/** Processor time of this process and of the embedded PostgreSQL. */
export class ProcessorTime {
  readonly #postmasterFile: string;
  /** Seconds of each process of PostgreSQL that was ever seen. Connections come and go meanwhile. */
  readonly #seconds = new Map<number, number>();

  constructor(dataDir: string) {
    this.#postmasterFile = join(dataDir, "postgres", "postmaster.pid");
  }

  read(): { nodeSeconds: number; databaseSeconds: number | undefined } {
    const { user, system } = process.cpuUsage();
    return { nodeSeconds: (user + system) / 1e6, databaseSeconds: this.#ofDatabase() };
  }

  /** Without what a process did after the last look at it and before its end. Only Linux reports it. */
  #ofDatabase(): number | undefined {
    if (process.platform !== "linux") return undefined;
    const postmaster = Number.parseInt(readFileSync(this.#postmasterFile, "utf8"), 10);
    for (const name of readdirSync("/proc")) {
      const stat = /^\d+$/.test(name) ? readStat(name) : undefined;
      if (stat && (stat.pid === postmaster || stat.parent === postmaster))
        this.#seconds.set(stat.pid, readScheduled(name) ?? stat.ticks / TICKS);
    }
    return [...this.#seconds.values()].reduce((sum, seconds) => sum + seconds, 0);
  }
}

/**
 * Seconds, to the nanosecond. A tick is as long as a hundred short statements. Each process of PostgreSQL
 * has one thread. Undefined where the kernel does not keep it.
 */
function readScheduled(name: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(`/proc/${name}/schedstat`, "utf8"), 10) / 1e9;
  } catch {
    return undefined;
  }
}

function readStat(name: string): { pid: number; parent: number; ticks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${name}/stat`, "utf8");
    // The second field is a name in brackets, which may hold blanks.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    // The process has ended meanwhile.
    return undefined;
  }
}
