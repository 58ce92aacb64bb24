/** Moments that people often choose for what is to happen later. */
import type { TextKey } from "../../i18n/texts.ts";

export interface LaterTime {
  label: TextKey;
  at: Date;
}

/** Nothing is offered that is nearer than this. */
const SOON_MS = 10 * 60_000;
const [MORNING, AFTERNOON] = [9, 14];
const MONDAY = 1;

/** In the person's own time zone, the next one first. */
export function laterTimes(now = new Date()): LaterTime[] {
  const times: LaterTime[] = [
    { label: "later.oneHour", at: new Date(now.getTime() + 3_600_000) },
    { label: "later.threeHours", at: new Date(now.getTime() + 3 * 3_600_000) },
    { label: "later.thisMorning", at: dayAt(now, 0, MORNING) },
    { label: "later.thisAfternoon", at: dayAt(now, 0, AFTERNOON) },
    { label: "later.tomorrowMorning", at: dayAt(now, 1, MORNING) },
    { label: "later.nextMonday", at: dayAt(now, daysUntil(now, MONDAY), MORNING) },
  ];
  return times
    .filter(({ at }) => at.getTime() - now.getTime() >= SOON_MS)
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** The value of a field for date and time, which knows no time zone. */
export function fieldTime(date: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** undefined: the field is empty, or what it says is no time. */
export function timeOfField(value: string): Date | undefined {
  const date = new Date(value);
  return value === "" || Number.isNaN(date.getTime()) ? undefined : date;
}

/** The hour of the wall clock, also on days of 23 and of 25 hours. */
function dayAt(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}

/** From 2 on: on a Sunday, "tomorrow" is the Monday already. */
function daysUntil(now: Date, weekday: number): number {
  const days = (weekday - now.getDay() + 7) % 7;
  return days < 2 ? days + 7 : days;
}
