/** When somebody's digest is due: in the morning of the organization's weekday, where the person is. */
const MORNING_BEGINS = 8;
const MORNING_ENDS = 12;

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** The day as "2026-03-02" if that moment is in the morning of this weekday there. 0 is Monday. */
export function digestDay(at: Date, timeZone: string, weekday: number): string | undefined {
  const parts = new Map(
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      weekday: "short",
      ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", hourCycle: "h23" },
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const hour = Number(parts.get("hour"));
  if (parts.get("weekday") !== WEEKDAYS[weekday] || hour < MORNING_BEGINS || hour >= MORNING_ENDS) {
    return undefined;
  }
  return `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
}
