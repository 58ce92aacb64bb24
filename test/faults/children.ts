import { readdirSync, readFileSync } from "node:fs";

/** The processes that a process has started and that still run, with what they call themselves. */
export function childrenOf(parent: number): { pid: number; title: string }[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The name in parentheses may hold anything; the parent's id is the second field after it.
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) !== parent) return [];
      const title = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      return [{ pid: Number(name), title }];
    } catch {
      // It has ended since the directory was read.
      return [];
    }
  });
}
