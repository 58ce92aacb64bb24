import { language } from "../../i18n/t.ts";

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** In the largest unit of which it is a whole number. */
export function durationName(seconds: number): string {
  const [unit, size] = units.find(([, one]) => seconds % one === 0) ?? ["second", 1];
  const format = new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" });
  return format.format(seconds / size);
}
