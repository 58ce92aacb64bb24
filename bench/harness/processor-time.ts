import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Clock ticks per second in /proc. Linux fixes this number for programs. */
const TICKS = 100;

/** Processor time of this process and of the embedded PostgreSQL. */
export class ProcessorTime {
  readonly #postmasterFile: string;

  constructor(dataDir: string) {
    this.#postmasterFile = join(dataDir, "postgres", "postmaster.pid");
  }

  read(): { nodeSeconds: number; databaseSeconds: number | undefined } {
    const { user, system } = process.cpuUsage();
    return { nodeSeconds: (user + system) / 1e6, databaseSeconds: this.#ofDatabase() };
  }

  /** For the processes that exist now. Only Linux reports it. */
  #ofDatabase(): number | undefined {
    if (process.platform !== "linux") return undefined;
    const postmaster = Number.parseInt(readFileSync(this.#postmasterFile, "utf8"), 10);
    let ticks = 0;
    for (const name of readdirSync("/proc")) {
      const stat = /^\d+$/.test(name) ? readStat(name) : undefined;
      if (stat && (stat.pid === postmaster || stat.parent === postmaster)) ticks += stat.ticks;
    }
    return ticks / TICKS;
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
