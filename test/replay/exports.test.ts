// Exports are not in the snapshot. Their events must leave the rest of the model as it is.
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, followAll } from "../harness/follow.ts";
import { createHarness, type Harness } from "../harness/harness.ts";
import { runJobs } from "../harness/jobs.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const others = everybody.filter((name) => name !== "ada" && name !== "ben");

test("administrators get an event when an export begins, when it ends and when it is deleted", async () => {
  const events = await followAll(harness, everybody, async () => {
    const { id } = await expectSuccess(harness.as("ada").post("/export/realm"));
    await runJobs(harness.services);
    await expectSuccess(harness.as("ben").delete(`/export/realm/${id}`));
  });
  for (const name of ["ada", "ben"]) {
    expect(eventNames(events[name])).toEqual(["realm_export", "realm_export", "realm_export"]);
  }
  for (const name of others) expect(events[name], name).toEqual([]);
});

test("a change of consent reaches administrators, and the person's own clients as a setting", async () => {
  const events = await followAll(harness, everybody, () =>
    expectSuccess(harness.as("dev").patch("/settings", { allow_private_data_export: true })),
  );
  for (const name of ["ada", "ben"]) expect(eventNames(events[name])).toEqual(["realm_export_consent"]);
  expect(eventNames(events.dev)[0]).toBe("user_settings/update");
  expect(eventNames(events.dev)).not.toContain("realm_export_consent");
  for (const name of others.filter((each) => each !== "dev")) expect(events[name], name).toEqual([]);
});
