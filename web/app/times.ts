/** Dates and times as the viewer wants them. The formats are made once for each language and setting. */
import { userSettings } from "../../api/user-settings.ts";
import { language, t } from "../i18n/t.ts";
import { state } from "./state.ts";

const formats = new Map<string, Intl.DateTimeFormat>();
const DAY_MS = 86_400_000;

function format(kind: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language()} ${kind}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language(), options);
  formats.set(key, known);
  return known;
}

/** Of a message. `seconds`: UNIX time. */
export function clock(seconds: number): string {
  const has24Hours = state.model.settings.get(userSettings.twentyFourHourTime);
  const options = { hour: "numeric", minute: "2-digit", hourCycle: has24Hours ? "h23" : "h12" } as const;
  return format(`clock ${has24Hours}`, options).format(seconds * 1000);
}

export function fullTime(ms: number): string {
  return format("full", { dateStyle: "full", timeStyle: "short" }).format(ms);
}

export function shortTime(ms: number): string {
  return format("short", { dateStyle: "medium", timeStyle: "short" }).format(ms);
}

/** Equal for two moments of one day. */
export function dayOf(seconds: number): number {
  return new Date(seconds * 1000).setHours(0, 0, 0, 0);
}

export function dayName(seconds: number, now = Date.now()): string {
  const day = dayOf(seconds);
  const today = new Date(now).setHours(0, 0, 0, 0);
  if (day === today) return t("feed.today");
  // The middle of the day before: days of 23 and of 25 hours exist.
  if (day === new Date(today - DAY_MS / 2).setHours(0, 0, 0, 0)) return t("feed.yesterday");
  const isThisYear = new Date(day).getFullYear() === new Date(now).getFullYear();
  const options = { weekday: "long", day: "numeric", month: "long" } as const;
  return isThisYear
    ? format("day", options).format(day)
    : format("date", { ...options, year: "numeric" }).format(day);
}
