import { expect, test } from "vitest";
import { pairTerms } from "./pair-terms.ts";

test("pairs of words have the terms that indexes of other versions hold, each once", () => {
  const forms = ["soup", "today", "it", "天気", "soup", "today", "crème"];
  expect(pairTerms(forms)).toEqual(["=20C", "=bM_", "=0Nw", "=0QN", "=f9r"]);
  expect(pairTerms(["soup"])).toEqual([]);
});
