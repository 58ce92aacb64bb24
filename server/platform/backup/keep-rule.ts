import { BackupError } from "./target.ts";

/** For how many of these the newest backup of each stays. */
export interface KeepRule {
  days: number;
  weeks: number;
  months: number;
}

const UNITS = { d: "days", w: "weeks", m: "months" } as const;

/** Reads a rule such as `7d,4w,6m`. Throws a BackupError with a sentence. */
export function parseKeepRule(text: string): KeepRule {
  const rule: KeepRule = { days: 0, weeks: 0, months: 0 };
  for (const part of text.split(",")) {
    const [, count, unit] = /^\s*(\d{1,4})([dwm])\s*$/.exec(part) ?? [];
    if (count === undefined || Number(count) === 0)
      throw new BackupError(
        "setting-wrong",
        `'${text}' does not say which backups stay. Write it as 7d,4w,6m: one for each of seven days, four weeks and six months.`,
      );
    rule[UNITS[unit as keyof typeof UNITS]] = Number(count);
  }
  return rule;
}
