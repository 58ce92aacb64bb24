import { describe, expect, test } from "vitest";
import type { ErrorDeclaration } from "../../api/error-declaration.ts";
import { errorExample } from "../../api/error-example.ts";
import { errorFields } from "../../api/error-fields.ts";
import { errors } from "../../api/errors.ts";
import { endpoints, events } from "../../api/index.ts";
import { duplicateProblems, endpointProblems, eventProblems } from "./problems.ts";

describe("each endpoint is described to the last field, and its example and its sample call are valid", () => {
  test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))("%s", (_, endpoint) => {
    expect(endpointProblems(endpoint)).toEqual([]);
  });
});

describe("each event is described to the last field, and its example is valid", () => {
  const titled = events.map(
    (event) => [[event.type, event.op, event.variant].filter(Boolean).join(" "), event] as const,
  );
  test.each(titled)("%s", (_, event) => {
    expect(eventProblems(event)).toEqual([]);
  });
});

test("no two endpoints share a name or an address, and no two events a shape", () => {
  expect(duplicateProblems(endpoints, events)).toEqual([]);
});

test("each field of an error has a type, and no type is left over", () => {
  const fields = (Object.values(errors) as ErrorDeclaration[]).flatMap((error) => {
    const { result, msg, code, ...rest } = errorExample(error);
    return Object.keys(rest);
  });
  expect([...new Set(fields)].sort()).toEqual(Object.keys(errorFields).sort());
});

test("each error but one has a status of the 4xx or 5xx range, and all have a text that says what is wrong", () => {
  for (const [name, error] of Object.entries(errors) as [string, ErrorDeclaration][]) {
    const { msg } = errorExample(error);
    expect({ name: error.name, msg }).toEqual({ name, msg: expect.stringMatching(/^(?!.*undefined).*\S/) });
    if (name === "unsupportedWebhookEvent") continue;
    expect(error.status, name).toBeGreaterThanOrEqual(400);
    expect(error.status, name).toBeLessThan(600);
  }
});
