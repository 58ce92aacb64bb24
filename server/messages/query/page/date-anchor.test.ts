import { afterEach, expect, test } from "vitest";
import { parseAnchorDate } from "./date-anchor.ts";

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test.each([
  ["2026-03-03", "2026-03-03T00:00:00.000Z"],
  ["2026-03-03T12:30", "2026-03-03T12:30:00.000Z"],
  ["2026-03-03 12:30:15.5", "2026-03-03T12:30:15.500Z"],
  ["2026-03-03T12:30Z", "2026-03-03T12:30:00.000Z"],
  ["2026-03-03T12:30:00+0530", "2026-03-03T07:00:00.000Z"],
])("a moment without an offset is UTC's, wherever the server is: %s", (text, expected) => {
  for (const there of ["UTC", "Asia/Tokyo", "America/New_York"]) {
    process.env.TZ = there;
    expect(parseAnchorDate(text).toISOString(), there).toBe(expected);
  }
});
