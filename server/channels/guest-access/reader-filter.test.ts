import { expect, test } from "vitest";
import { events } from "../../../api/index.ts";
import { rules } from "./reader-filter.ts";

test("every type of event says what a limited guest gets of it", () => {
  expect(Object.keys(rules).sort()).toEqual([...new Set(events.map(({ type }) => type))].sort());
});
