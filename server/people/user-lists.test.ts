import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createHarness, type Harness } from "../../test/harness/harness.ts";
import { runStateChange } from "../platform/log/change.ts";
import { deactivateUser } from "./actions.ts";
import type { UserForm } from "./present.ts";
import { users } from "./user.ts";
import { writeUserList, writeUsers } from "./user-lists.ts";

let form: UserForm;
let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  form = { clientGravatar: true, profileData: true, reader: harness.user("ada").user };
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
    writeUserList(harness.state, [...harness.state.get(users).all()], form);
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

test("readers who see the same share a list, except for one whose own address is hidden from it", async () => {
  const list = (name: "ada" | "ben" | "dev") =>
    writeUsers(harness.state, { ...form, reader: harness.user(name).user }, true);
  await harness.as("dev").patch("/settings", { email_address_visibility: 3 });
  expect(list("ben")).toBe(list("ada"));
  expect(list("dev")).not.toBe(list("dev"));
  expect(list("dev").text).toContain("dev@demo.test");
});

test("the lists of two organizations have nothing in common", () => {
  expect(writeUsers(harness.otherState, form, true).text).not.toContain("demo.test");
  expect(writeUsers(harness.otherState, form, true).text).toContain("zed@other.test");
});
