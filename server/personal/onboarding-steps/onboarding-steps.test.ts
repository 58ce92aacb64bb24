import { afterAll, beforeAll, expect, test } from "vitest";
import { onboardingStepNames } from "../../../api/personal/onboarding-steps.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const mark = (onboarding_step: string, name: CastName = "dev") =>
  harness.as(name).post("/users/me/onboarding_steps", { onboarding_step });
const unseen = async (name: CastName = "dev"): Promise<string[]> => {
  const { onboarding_steps } = await expectSuccess(harness.as(name).post("/register", {}));
  return onboarding_steps.map((step: { name: string }) => step.name);
};

test("a new person has seen no step, and each step that they have seen is gone for them alone", async () => {
  const [first, ...others] = onboardingStepNames as [string, ...string[]];
  expect(await unseen()).toEqual(onboardingStepNames);
  await expectSuccess(mark(first));
  await expectSuccess(mark(first));
  expect(await unseen()).toEqual(others);
  for (const name of ["ada", "zed"] as const) expect(await unseen(name)).toEqual(onboardingStepNames);
  for (const step of others) await expectSuccess(mark(step));
  expect(await unseen()).toEqual([]);
});

test.each(["gus", "echo"] as const)("%s can mark steps too", async (name) => {
  await expectSuccess(mark("intro_resolve_topic", name));
  expect(await unseen(name)).not.toContain("intro_resolve_topic");
});

test("a step that the server does not know is refused", async () => {
  for (const name of ["soup", "", "constructor"]) {
    expect(await refusal(mark(name, "ben"))).toBe(`Unknown onboarding_step: ${name}`);
  }
  expect(await refusal(mark("x".repeat(101), "ben"))).toMatch(/too long/);
  expect(await unseen("ben")).toEqual(onboardingStepNames);
});
