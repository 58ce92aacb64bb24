import { expect, test } from "vitest";
import { MissingFiles } from "./missing-files.ts";

test("the log has a line for the first missing file, and then one a minute with their number", () => {
  const lines: object[] = [];
  let now = 0;
  const missing = new MissingFiles({ error: (facts) => lines.push(facts) }, () => now);
  missing.note({ organizationId: 2, id: 7 });
  expect(lines).toEqual([{ organizationId: 2, fileId: 7, requests: 1 }]);
  for (let id = 10; id < 1010; id++) missing.note({ organizationId: 2, id });
  expect(lines).toHaveLength(1);
  now = 60_000;
  missing.note({ organizationId: 3, id: 8 });
  expect(lines.slice(1)).toEqual([{ organizationId: 3, fileId: 8, requests: 1001 }]);
});
