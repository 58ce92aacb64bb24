// Every rule of docs/spec.md about an endpoint is shown by tests that are named here.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { capabilityNames } from "../../api/integrations/real-time.ts";
import type { Statement } from "./statements/statement.ts";
import { capabilities, rulesThatComeLater, statements } from "./statements.ts";
import { operationsThatComeLater } from "./surface.ts";

const rulesPage = readFileSync(new URL("../../docs/spec.md", import.meta.url), "utf8");
const rules = [...rulesPage.matchAll(/^### ([^:\n]+):/gm)].map(([, rule = ""]) => rule);

describe("each statement is shown by a test that is there", () => {
  const all = { ...statements, "the capabilities of clients": Object.values(capabilities) };
  test.each(Object.entries(all))("%s", (_, ofRule) => {
    expect(ofRule.length).toBeGreaterThan(0);
    expect(ofRule.flatMap(problemWith)).toEqual([]);
  });
});

test("every rule about an endpoint has statements, or comes later with its subject", () => {
  const endpointRules = rules.filter((rule) => /^E\d+$/.test(rule));
  expect(endpointRules).toHaveLength(23);
  const later = Object.keys(rulesThatComeLater);
  expect(endpointRules.filter((rule) => !(rule in statements) && !later.includes(rule))).toEqual([]);
  expect(later.filter((rule) => rule in statements)).toEqual([]);
  const subjects = Object.keys(operationsThatComeLater);
  expect(Object.values(rulesThatComeLater).filter((subject) => !subjects.includes(subject))).toEqual([]);
});

test("statements are about rules that the page has", () => {
  expect(Object.keys(statements).filter((rule) => !rules.includes(rule))).toEqual([]);
});

test("each capability of a client has a test", () => {
  expect(Object.keys(capabilities).sort()).toEqual([...capabilityNames].sort());
});

test("a title that no test has is a problem", () => {
  const [says, file] = ["Something.", "test/contract/statements.test.ts"];
  const title = ["nobody", "wrote", "this"].join(" ");
  expect(problemWith([says, file, title])).toHaveLength(1);
  expect(problemWith([says, "test/nowhere.test.ts", title])).toHaveLength(1);
  expect(problemWith([says, file, "each capability of a client has a test"])).toEqual([]);
});

/** Titles stand in the files as they are written here, in quotation marks. */
function problemWith([says, file, title]: Statement): string[] {
  const place = new URL(`../../${file}`, import.meta.url);
  if (!existsSync(place)) return [`${says} ${file} is not there`];
  const text = readFileSync(place, "utf8");
  return [`"${title}"`, `\`${title}\``].some((quoted) => text.includes(quoted))
    ? []
    : [`${says} ${file} has no test with the title ${JSON.stringify(title)}`];
}
