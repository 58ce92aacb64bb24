import type { CastName } from "../cast.ts";
import type { Conversation, Line } from "./conversation.ts";

const MINUTE_MS = 60_000;
/** Between two messages of a conversation. */
const STEP_MINUTES = 4;

export interface TimedLine {
  to: Conversation["to"];
  line: Line;
  from: CastName;
  sentAt: Date;
  isOfToday: boolean;
  /** Whether it is not the first of its conversation. */
  isReply: boolean;
}

/** The messages of the conversations, by the times at which they were sent. */
export function timedLines(conversations: readonly Conversation[], now: number): TimedLine[] {
  return conversations
    .flatMap((conversation) => linesOf(conversation, now))
    .sort((a, b) => Number(a.sentAt) - Number(b.sentAt));
}

function linesOf({ to, at, lines }: Conversation, now: number): TimedLine[] {
  const isOfToday = "minutesAgo" in at;
  const start = isOfToday ? now - at.minutesAgo * MINUTE_MS : workingDay(now, at.daysAgo, at.time);
  // The last message of a conversation of today is not in the future.
  const step = isOfToday ? Math.min(STEP_MINUTES, at.minutesAgo / (lines.length + 1)) : STEP_MINUTES;
  return lines.map((line, index) => ({
    ...{ to, line, from: line[0], isOfToday, isReply: index > 0 },
    sentAt: new Date(start + index * step * MINUTE_MS),
  }));
}

/** In milliseconds. Saturdays and Sundays don't count. */
function workingDay(now: number, daysAgo: number, time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const day = new Date(now);
  for (let left = daysAgo; left > 0; ) {
    day.setDate(day.getDate() - 1);
    if (day.getDay() !== 0 && day.getDay() !== 6) left--;
  }
  return day.setHours(hours, minutes, 0, 0);
}
