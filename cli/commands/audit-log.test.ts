import { afterAll, beforeAll, expect, test } from "vitest";
import type { UserId } from "../../api/ids.ts";
import { createHarness, type Harness } from "../../test/harness/harness.ts";
import { auditLine } from "./audit-log.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const row = {
  id: 3,
  at: new Date("2026-11-22T13:41:02.123Z"),
  actorId: null,
  action: "organization_updated",
  targetType: "organization",
  targetId: null,
  changes: {},
  client: null,
  network: null,
} as const;

test("an entry is a line that says when, who, from where, what and which fields", () => {
  const ada = harness.user("ada").user.id;
  const line = auditLine(harness.state, {
    ...row,
    actorId: ada,
    client: "website",
    network: "203.0.113.7",
    action: "channel_updated",
    targetType: "channel",
    targetId: 7,
    changes: { name: { old: "a", new: "b" }, folder_id: { old: 2 }, user_ids: { new: [1, 2] } },
  });
  expect(line).toBe(
    `2026-11-22T13:41:02Z  Ada Osei (${ada})  203.0.113.7 website  channel_updated  channel 7  ` +
      `name: "a" → "b", folder_id: 2 → nothing, user_ids: [1,2]`,
  );
});

test("what no account did was done on the command line", () => {
  expect(auditLine(harness.state, row)).toBe(
    "2026-11-22T13:41:02Z  command line  organization_updated  organization",
  );
});

test("a text in an entry can't control the terminal", () => {
  const changes = { name: { new: "a\u001b]0;title\u0007\u202eb\nc" } };
  const line = auditLine(harness.state, { ...row, actorId: 9_000_000 as UserId, changes });
  expect(line).toContain("unknown (9000000)");
  expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});
