import type { FaultName } from "../faults/catalogue.ts";

/** The parts of a server that can be out of order by themselves. */
export type PartName = "database" | "disk" | "files" | "mail" | "jobs" | "clock" | "backup" | "certificate";

/** The fault of each code. Several codes can have one cause, for which the same has to be done. */
export const faultsOfCodes = {
  "database-away": "database-away",
  "database-late": "database-late",
  "database-old": "database-old",
  "database-newer": "database-newer",
  "database-connections": "database-connections",
  "disk-full": "disk-full",
  "disk-nearly-full": "disk-low",
  "disk-low": "disk-low",
  "files-full": "disk-full",
  "files-nearly-full": "disk-low",
  "files-low": "disk-low",
  "files-away": "files-away",
  "mail-off": "mail-off",
  "mail-late": "mail-late",
  "jobs-late": "jobs-late",
  "jobs-failed": "jobs-failed",
  "clock-behind": "clock-wrong",
  "clock-differs": "clock-wrong",
  "backup-old": "backup-old",
  "backup-failed": "backup-failed",
  "certificate-unreadable": "certificate-unreadable",
  "certificate-expired": "certificate-expired",
  "certificate-early": "certificate-early",
  "certificate-host": "certificate-host",
  "certificate-ends": "certificate-ends",
  unknown: "part-unknown",
} as const satisfies Record<string, FaultName>;

export type PartCode = keyof typeof faultsOfCodes;

/** undefined: all is well. */
export function faultOf({ code }: Pick<Finding, "code">): FaultName | undefined {
  return code === "ok" ? undefined : faultsOfCodes[code];
}

/** `warning`: everything works, and will not for long. `down`: what needs the part does not work. */
export type Level = "ok" | "warning" | "down";

/** How a part is. */
export interface Finding {
  level: Level;
  /** One word for programs, such as `disk-low`. The same state always has the same one. */
  code: PartCode | "ok";
  /** One sentence for people: what is the matter, and what to do unless all is well. */
  sentence: string;
}

export interface Part {
  name: PartName;
  /** How often it is looked at, in seconds. */
  everySeconds: number;
  /** What it throws is a finding too: the part can't be asked. */
  check(): Promise<Finding>;
}

export const ok = (sentence: string): Finding => ({ level: "ok", code: "ok", sentence });
export const warning = (code: PartCode, sentence: string): Finding => ({ level: "warning", code, sentence });
export const down = (code: PartCode, sentence: string): Finding => ({ level: "down", code, sentence });
