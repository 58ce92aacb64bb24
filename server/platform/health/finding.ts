/** The parts of a server that can be out of order by themselves. */
export type PartName = "database" | "disk" | "files" | "mail" | "jobs" | "clock" | "backup" | "certificate";

/** `warning`: everything works, and will not for long. `down`: what needs the part does not work. */
export type Level = "ok" | "warning" | "down";

/** How a part is. */
export interface Finding {
  level: Level;
  /** One word for programs, such as `disk-low`. The same state always has the same one. */
  code: string;
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
export const warning = (code: string, sentence: string): Finding => ({ level: "warning", code, sentence });
export const down = (code: string, sentence: string): Finding => ({ level: "down", code, sentence });
