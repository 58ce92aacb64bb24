import { afterAll, beforeAll, expect, test } from "vitest";
import { onboardingStepNames } from "../../api/personal/onboarding-steps.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const mark = (onboarding_step: string, name: CastName = "dev") =>
  expectSuccess(harness.as(name).post("/users/me/onboarding_steps", { onboarding_step }));

test("a step that was seen is announced to the person's own clients, once", async () => {
  const others = everybody.filter((name) => name !== "dev");
  await expectSilence(harness, { hears: "dev", silent: others }, () => mark("intro_inbox_view_modal"));
  const heard = await followAll(harness, ["dev"], () => mark("intro_inbox_view_modal"));
  expect(eventNames(heard.dev)).toEqual([]);
});

test("steps that are marked at the same time are all gone after the last event", async () => {
  const heard = await followAll(harness, ["gus"], () =>
    Promise.all(onboardingStepNames.map((name) => mark(name, "gus"))),
  );
  const lengths = heard.gus?.map(({ onboarding_steps }) => (onboarding_steps as unknown[]).length);
  expect(lengths).toEqual(onboardingStepNames.map((_, index) => onboardingStepNames.length - 1 - index));
});
