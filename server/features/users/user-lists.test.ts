import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { deactivateUser } from "./actions.ts";
import { users } from "./user.ts";
import { writeUserList, writeUsers } from "./user-lists.ts";

const form = { clientGravatar: true, profileData: true };
let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

function emails(isActive: boolean): string[] {
  return JSON.parse(writeUsers(harness.state, form, isActive).text).map(
    ({ email }: { email: string }) => email,
  );
}

test("the list is written once, and again only after a change", async () => {
  const before = writeUsers(harness.state, form, true);
  expect(writeUsers(harness.state, form, true)).toBe(before);
  await harness.as("dev").patch("/settings", { timezone: "Europe/Oslo" });
  const after = writeUsers(harness.state, form, true);
  expect(after).not.toBe(before);
  expect(after.text).toContain("Europe/Oslo");
});

test("after a change only the changed users are written again", async () => {
  writeUsers(harness.state, form, true);
  const stringify = vi.spyOn(JSON, "stringify");
  try {
    writeUserList([...harness.state.get(users).all()], form);
    expect(stringify).not.toHaveBeenCalled();
    await harness.as("dev").patch("/settings", { timezone: "Asia/Kolkata" });
    stringify.mockClear();
    writeUsers(harness.state, form, true);
    expect(stringify).toHaveBeenCalledTimes(1);
  } finally {
    stringify.mockRestore();
  }
});

test("deactivated users are in a list of their own", async () => {
  expect(emails(false)).toEqual([]);
  await runStateChange(harness.state, (tx) => deactivateUser(tx, harness.user("elin").user));
  expect(emails(true)).not.toContain("elin@demo.test");
  expect(emails(false)).toEqual(["elin@demo.test"]);
});

test("the lists of two organizations have nothing in common", () => {
  expect(writeUsers(harness.otherState, form, true).text).not.toContain("demo.test");
  expect(writeUsers(harness.otherState, form, true).text).toContain("zed@other.test");
});
