// The declared contract, compared with a list of the API that was written down independently of it.
import { describe, expect, test } from "vitest";
import { endpoints } from "../../api/index.ts";
import { repeated } from "./problems.ts";
import { operations, operationsLeftOut, operationsThatComeLater } from "./surface.ts";

const declaredOperations = endpoints.map(({ method, path }) => `${method} ${path}`);

describe("every documented operation", () => {
  const documented = Object.values(operations).flat();
  const leftOut = Object.keys(operationsLeftOut);
  const later = Object.values(operationsThatComeLater).flat();

  test.each(Object.entries(operations))("is declared, or excepted: %s", (_, ofSubject) => {
    const excepted = [...leftOut, ...later];
    const expected = ofSubject.filter((operation) => !excepted.includes(operation));
    expect(expected.filter((operation) => !declaredOperations.includes(operation))).toEqual([]);
  });

  test("that is excepted is documented, is excepted once, and is not declared", () => {
    const excepted = [...leftOut, ...later];
    expect(excepted.filter((operation) => !documented.includes(operation))).toEqual([]);
    expect(repeated(excepted)).toEqual([]);
    expect(excepted.filter((operation) => declaredOperations.includes(operation))).toEqual([]);
  });

  test("stands in the list once", () => {
    expect(repeated(documented)).toEqual([]);
    expect(documented).toHaveLength(154);
  });
});
