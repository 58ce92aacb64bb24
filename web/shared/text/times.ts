/** Dates and times as the viewer wants them. The formats are made once for each language and setting. */
import { plainClock } from "../../i18n/intl.ts";
import { language, t } from "../../i18n/t.ts";
import { uses24Hours } from "../preferences/preferences.ts";
import { dayBefore, startOfDay } from "./days.ts";
import { today } from "./today.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

function format(kind: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language()} ${kind}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language(), options);
  formats.set(key, known);
  return known;
}

/** The time of a message. `seconds`: UNIX time. */
export function clock(seconds: number): string {
  const plain = plainClock(new Date(seconds * 1000), language(), hourCycle() === "h23");
  if (plain !== undefined) return plain;
  const options = { hour: "numeric", minute: "2-digit", hourCycle: hourCycle() } as const;
  return format(`clock ${hourCycle()}`, options).format(seconds * 1000);
}

export function fullTime(ms: number): string {
  const options = { dateStyle: "full", timeStyle: "short", hourCycle: hourCycle() } as const;
  return format(`full ${hourCycle()}`, options).format(ms);
}

export function shortTime(ms: number): string {
  const options = { dateStyle: "medium", timeStyle: "short", hourCycle: hourCycle() } as const;
  return format(`short ${hourCycle()}`, options).format(ms);
}

function hourCycle(): "h23" | "h12" {
  return uses24Hours() ? "h23" : "h12";
}

/** A moment in the next days: only the hour if it is today, or else with its date. */
export function soonTime(date: Date): string {
  const time = clock(date.getTime() / 1000);
  if (startOfDay(date.getTime()) === today()) return time;
  const day = format("date in days", { day: "numeric", month: "short" }).format(date);
  return `${day}, ${time}`;
}

/** A moment of any time: without its date if it is today, and without its year if it is this one. */
export function nearTime(ms: number): string {
  return isThisYear(ms) ? soonTime(new Date(ms)) : shortTime(ms);
}

/** A past moment, where room is short: the hour if it is today, or else the date. */
export function listTime(ms: number): string {
  if (startOfDay(ms) === today()) return clock(ms / 1000);
  if (!isThisYear(ms)) return format("date in lists", { dateStyle: "medium" }).format(ms);
  return format("date in days", { day: "numeric", month: "short" }).format(ms);
}

/** Equal for two moments of one day. */
export function dayOf(seconds: number): number {
  return startOfDay(seconds * 1000);
}

function isThisYear(ms: number): boolean {
  return new Date(ms).getFullYear() === new Date(today()).getFullYear();
}

export function dayName(seconds: number): string {
  const day = dayOf(seconds);
  if (day === today()) return t("feed.today");
  if (day === dayBefore(today())) return t("feed.yesterday");
  const options = { weekday: "long", day: "numeric", month: "long" } as const;
  return isThisYear(day)
    ? format("day", options).format(day)
    : format("date", { ...options, year: "numeric" }).format(day);
}

/** What time it is in a time zone; undefined: the browser does not know the zone. */
export function timeIn(timeZone: string, now = Date.now()): string | undefined {
  const options = { hour: "numeric", minute: "2-digit", hourCycle: hourCycle() } as const;
  try {
    return format(`clock ${hourCycle()} ${timeZone}`, { ...options, timeZone }).format(now);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** A day, in words; undefined for what is no date. */
export function dateName(ms: number): string | undefined {
  return Number.isNaN(ms) ? undefined : format("date alone", { dateStyle: "long" }).format(ms);
}
