// The declared contract, compared with a list of the API that was written down independently of it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints, events } from "../../api/index.ts";
import { registerQueue } from "../../api/integrations/real-time.ts";
import { createHarness, type Harness, HOST } from "../harness/harness.ts";
import { repeated } from "./problems.ts";
import {
  eventForms,
  eventsLeftOut,
  eventsThatComeLater,
  FEATURE_LEVEL,
  operations,
  operationsLeftOut,
  operationsThatComeLater,
  protocols,
} from "./surface.ts";

test("the lists are of the feature level that the server states", () => {
  expect(registerQueue.example.reply.service_feature_level).toBe(FEATURE_LEVEL);
});

describe.each([
  {
    kind: "operation",
    count: 154,
    listed: operations,
    leftOut: operationsLeftOut,
    later: operationsThatComeLater,
    declared: endpoints.map(({ method, path }) => `${method} ${path}`),
  },
  {
    kind: "event",
    count: 97,
    listed: eventForms,
    leftOut: eventsLeftOut,
    later: eventsThatComeLater,
    declared: events.map(({ type, op, variant }) => [type, op, variant].filter(Boolean).join(" ")),
  },
])("every documented $kind", ({ count, listed, leftOut, later, declared }) => {
  const documented = Object.values(listed).flat();
  const excepted = [...Object.keys(leftOut), ...Object.values(later).flat()];

  test.each(Object.entries(listed))("is declared, or excepted: %s", (_, ofSubject) => {
    const expected = ofSubject.filter((each) => !excepted.includes(each));
    expect(expected.filter((each) => !declared.includes(each))).toEqual([]);
  });

  test("that is excepted is documented, is excepted once, and is not declared", () => {
    expect(excepted.filter((each) => !documented.includes(each))).toEqual([]);
    expect(repeated(excepted)).toEqual([]);
    expect(excepted.filter((each) => declared.includes(each))).toEqual([]);
  });

  test("stands in the list once", () => {
    expect(repeated(documented)).toEqual([]);
    expect(documented).toHaveLength(count);
  });
});

describe("an address of another protocol", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await createHarness();
  });
  afterAll(() => harness.close());

  test.each(Object.entries(protocols))("takes its methods and no others: %s", async (path, methods) => {
    expect(endpoints.filter((endpoint) => endpoint.path === path)).toEqual([]);
    const url = `/api/v1${path.replace("{id}", "a")}`;
    const { statusCode, headers } = await harness.app.inject({ method: "GET", url, headers: { host: HOST } });
    expect([statusCode, headers.allow]).toEqual([405, methods.join(", ")]);
  });
});

test("every declared event is documented", () => {
  const documented = Object.values(eventForms).flat();
  const declared = events.map(({ type, op, variant }) => [type, op, variant].filter(Boolean).join(" "));
  expect(declared.filter((each) => !documented.includes(each))).toEqual([]);
});
