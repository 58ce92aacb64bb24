import { expect, test } from "vitest";
import { checkSources } from "../test/harness/checked-sources.ts";

const cast = `const id = 7 as ${"never"};`;
const anyError = `await expect(signIn()).rejects.toThrow${"()"};`;

test.each([
  [
    "the title of a test",
    "server/people/a.test.ts",
    `test("what waits, and what was ${"never"} sent", () => {});`,
  ],
  ["an expectation that nothing is thrown", "server/people/a.test.ts", `expect(act).not.toThrow${"()"};`],
  [
    "an error with its name",
    "server/people/a.test.ts",
    'await expect(signIn()).rejects.toThrow("No such user");',
  ],
])("%s may stand", (_, file, text) => {
  expect(checkSources({ [file]: text })).toEqual({ problems: [], status: 0 });
});

test.each([
  ["a test beside the code", "server/people/a.test.ts"],
  ["a test of the web client", "web/feed/a.test.ts"],
  ["the tests' harness", "test/harness/a.ts"],
  ["a test of a tool", "tools/a.test.ts"],
])("a value that is cast to fit anywhere is refused in %s", (_, file) => {
  const advice = "give the value its type, such as harness.channelId(name) for an id";
  const problem = `${file}:2: ${advice} (as ${"never"}).`;
  expect(checkSources({ [file]: `// An id.\n${cast}` })).toEqual({ problems: [problem], status: 1 });
});

test("a cast behind a text in quotes is refused, too", () => {
  const { problems } = checkSources({ "server/people/a.test.ts": `post("/register", all as ${"never"});` });
  expect(problems).toEqual([expect.stringContaining("give the value its type")]);
});

test.each(["server", "client", "web", "cli"])("such a cast is refused in the sources of %s", (folder) => {
  const { problems, status } = checkSources({ [`${folder}/people/a.ts`]: cast });
  expect(problems).toEqual([expect.stringContaining("typed by its declaration, without a cast")]);
  expect(status).toBe(1);
});

test("a test that any error would pass is refused", () => {
  const { problems, status } = checkSources({ "server/accounts/a.test.ts": anyError });
  expect(problems).toEqual([expect.stringMatching(/^server\/accounts\/a\.test\.ts:1: any error would do/)]);
  expect(status).toBe(1);
});
