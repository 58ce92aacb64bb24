import { expect, test } from "vitest";
import { ApiError } from "../../../api/errors.ts";
import { authorization, KEY, toys } from "../../../test/harness/toy-api.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import { Credentials } from "./credentials.ts";

const state = {} as OrganizationState;

function credentials() {
  const all = toys();
  return { all, credentials: new Credentials(all.options) };
}

function codeOf(header: string): string | undefined {
  try {
    credentials().credentials.viewer(state, header, "robot");
  } catch (error) {
    if (error instanceof ApiError) return error.declaration.name;
    throw error;
  }
  return undefined;
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

test.each([
  ["Bearer abc", "basicAuthRequired"],
  ["", "basicAuthRequired"],
  ["Basic", "invalidAuthorization"],
  ["Basic !!!", "invalidAuthorization"],
  ["Basic YTpi extra", "invalidAuthorization"],
  [basic("no colon"), "invalidAuthorization"],
  [basic("one:two:three"), "invalidAuthorization"],
  [basic("nul\0:x"), "invalidAuthorization"],
  [basic("mia@toy.test:wrong"), "invalidApiKey"],
  [basic(`${" ".repeat(600)}mia@toy.test:${KEY}`), "invalidAuthorization"],
])("the header %s is refused", (header, name) => {
  expect(codeOf(header)).toBe(name);
});

test("a valid header is looked up once for each client program", () => {
  const { all, credentials: known } = credentials();
  const first = known.viewer(state, authorization("mia"), "robot");
  expect(known.viewer(state, authorization("mia"), "robot")).toBe(first);
  expect(known.viewer(state, authorization("mia"), "website").client).toBe("website");
  expect(known.viewer(state, authorization("mia"), "robot")).toBe(first);
  expect(all.counts.authenticated).toBe(2);
});

test("after a change of any user or key every header is looked up again", () => {
  const { all, credentials: known } = credentials();
  known.viewer(state, authorization("mia"), "robot");
  all.state.version++;
  known.viewer(state, authorization("mia"), "robot");
  known.viewer(state, authorization("mia"), "robot");
  expect(all.counts.authenticated).toBe(2);
});

test("a header that is cached for one organization is looked up again in another", () => {
  const { all, credentials: known } = credentials();
  known.viewer(state, authorization("mia"), "robot");
  known.viewer({} as OrganizationState, authorization("mia"), "robot");
  expect(all.counts.authenticated).toBe(2);
});

test("a client that sends a new program name with every call does not fill the memory", () => {
  const { credentials: known } = credentials();
  for (let index = 0; index < 100; index++) {
    expect(known.viewer(state, authorization("mia"), `robot-${index}`).client).toBe(`robot-${index}`);
  }
});

test("one spelling of the credentials is kept for each account, the last one", () => {
  const { all, credentials: known } = credentials();
  const spellings = Array.from({ length: 20 }, (_, index) =>
    basic(`${" ".repeat(index)}mia@toy.test:${KEY}`),
  );
  for (const header of spellings) known.viewer(state, header, "robot");
  expect(all.counts.authenticated).toBe(20);
  known.viewer(state, spellings[19] as string, "robot");
  expect(all.counts.authenticated).toBe(20);
  // Any other was dropped, so it is looked up again. The spelling of another account stays.
  known.viewer(state, authorization("olga"), "robot");
  for (const header of spellings.slice(0, 19)) known.viewer(state, header, "robot");
  known.viewer(state, authorization("olga"), "robot");
  expect(all.counts.authenticated).toBe(40);
});
