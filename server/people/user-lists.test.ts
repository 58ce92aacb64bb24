import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createHarness, type Harness } from "../../test/harness/harness.ts";
import { runStateChange } from "../platform/log/change.ts";
import type { RawJson } from "../platform/std/raw-json.ts";
import { deactivateUser } from "./actions.ts";
import type { UserForm } from "./present.ts";
import { users } from "./user.ts";
import { prepareUsers, writeUserList, writeUsers } from "./user-lists.ts";

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

test("a reader whose own address is hidden from others does not write it for them", async () => {
  const list = (name: "cleo" | "dev" | "elin") =>
    writeUsers(harness.state, { ...form, reader: harness.user(name).user }, true).text;
  await harness.as("dev").patch("/settings", { email_address_visibility: 3 });
  // The first one who asks writes what is kept.
  expect(list("dev")).toContain('"delivery_email":"dev@demo.test"');
  for (const other of ["elin", "cleo"] as const) expect(list(other)).not.toContain("dev@demo.test");
  expect(JSON.parse(list("dev"))).toEqual(
    JSON.parse(list("elin")).map((user: { user_id: number }) =>
      user.user_id === harness.user("dev").user.id ? { ...user, delivery_email: "dev@demo.test" } : user,
    ),
  );
  await harness.as("dev").patch("/settings", { email_address_visibility: 1 });
});

test("values of profile fields are in the kept list, and a change writes one person", () => {
  const { id } = harness.user("dev").user;
  const kept = (values: string, version: number | undefined) =>
    writeUsers(harness.state, form, true, { data: new Map([[id, values]]), version });
  const one = kept('{"1":{"value":"tea"}}', 1);
  expect(kept('{"1":{"value":"tea"}}', 1)).toBe(one);
  const stringify = vi.spyOn(JSON, "stringify");
  const two = kept('{"1":{"value":"coffee"}}', 2);
  expect(stringify).not.toHaveBeenCalled();
  stringify.mockRestore();
  const values = (list: RawJson) =>
    JSON.parse(list.text).find((user: { user_id: number }) => user.user_id === id).profile_data;
  expect([values(one), values(two)]).toEqual([{ 1: { value: "tea" } }, { 1: { value: "coffee" } }]);
  // What nobody keeps is right too, and is not kept.
  expect(values(kept('{"1":{"value":"milk"}}', undefined))).toEqual({ 1: { value: "milk" } });
  expect(kept('{"1":{"value":"coffee"}}', 2)).toBe(two);
  expect(values(writeUsers(harness.state, form, true))).toEqual({});
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

test("a list that was prepared is the one that is asked for, changes since then included", async () => {
  const { state } = harness;
  const guests: UserForm = { ...form, clientGravatar: false, reader: harness.user("gus").user };
  const size = vi.spyOn(state.get(users).byId, "size", "get").mockReturnValue(2000);
  const noValues = async () => new Map();
  const prepared = prepareUsers(state, guests, noValues);
  expect(prepared).toBeInstanceOf(Promise);
  expect(prepareUsers(state, guests, noValues)).toBe(prepared);
  await Promise.all([prepared, harness.as("dev").patch("/settings", { timezone: "Asia/Tokyo" })]);
  expect(prepareUsers(state, guests, noValues)).toBeUndefined();
  size.mockRestore();
  const list = writeUsers(state, guests, true);
  const everybody = [...state.get(users).all()].filter(({ isActive }) => isActive);
  expect(list.text).toBe(writeUserList(state, everybody, guests).text);
  expect(list.text).toContain("Asia/Tokyo");
});
