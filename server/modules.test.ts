import { expect, test } from "vitest";
import { jobsOfModules } from "./modules.ts";

const names = (isCopy: boolean) => jobsOfModules({ canSend: true }, isCopy).map(({ name }) => name);

test("a copy leaves to the original what people would hear of twice", () => {
  const kept = names(true);
  expect(names(false).filter((name) => !kept.includes(name))).toEqual([
    "deliver_scheduled_message",
    "deliver_reminder",
    "call_bot",
  ]);
});
