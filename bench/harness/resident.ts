import { readdirSync, readFileSync } from "node:fs";

/** Resident memory of a process in MB. Only Linux reports it. */
export function residentMB(pid: number): number | undefined {
  return megabytes(`/proc/${pid}/status`, "VmRSS");
}

/** Memory of all processes that a process has started, in MB. Shared memory counts once. */
export function descendantsMB(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), field(`/proc/${name}/status`, "PPid")]),
  );
  const descends = (each: number): boolean => {
    const parent = parents.get(each);
    return parent === pid || (parent !== undefined && parent > 1 && descends(parent));
  };
  let sum = 0;
  for (const each of parents.keys()) {
    if (descends(each)) sum += megabytes(`/proc/${each}/smaps_rollup`, "Pss") ?? 0;
  }
  return sum;
}

function megabytes(file: string, name: string): number | undefined {
  const kibibytes = field(file, name);
  return kibibytes === undefined ? undefined : (kibibytes * 1024) / 1e6;
}

function field(file: string, name: string): number | undefined {
  try {
    const value = new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(readFileSync(file, "utf8"))?.[1];
    return value === undefined ? undefined : Number(value);
  } catch {
    // The process has ended, or this is another system.
    return undefined;
  }
}
