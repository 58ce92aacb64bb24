import { statfs } from "node:fs/promises";
import { down, type Finding, ok, type Part, warning } from "./finding.ts";

const MiB = 1024 * 1024;
/** The database can't create a segment of its log with less, and keeps what it needs to recover. */
const FULL = 32 * MiB;
const NEARLY_FULL = 500 * MiB;
const LOW_SHARE = 0.1;

export interface DiskSpace {
  /** In bytes: what this user may still write, and the size of the whole file system. */
  free: number;
  size: number;
}

/** The room on the file system that has this directory. */
export async function readDiskSpace(directory: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** The room on a disk that the server writes to. */
export function diskPart(directory: string, read = readDiskSpace): Part {
  return {
    name: "disk",
    everySeconds: 10,
    check: async () => judgeSpace("disk", directory, await read(directory)),
  };
}

/** `part`: what the codes begin with. Shared with `parley doctor`. */
export function judgeSpace(part: "disk" | "files", directory: string, { free, size }: DiskSpace): Finding {
  const left = `${describeBytes(free)} of ${describeBytes(size)} are free on the disk of ${directory}`;
  if (free < FULL)
    return down(
      part === "disk" ? "disk-full" : "files-full",
      `The disk is full: ${left}. Make room; nothing else is needed.`,
    );
  if (free < NEARLY_FULL)
    return warning(
      part === "disk" ? "disk-nearly-full" : "files-nearly-full",
      `The disk is nearly full: ${left}. Make room.`,
    );
  if (free < size * LOW_SHARE)
    return warning(part === "disk" ? "disk-low" : "files-low", `The disk gets full: ${left}. Make room.`);
  return ok(`${left}.`);
}

function describeBytes(bytes: number): string {
  return bytes < 10 * 1024 * MiB ? `${Math.floor(bytes / MiB)} MB` : `${Math.floor(bytes / 1024 / MiB)} GB`;
}
