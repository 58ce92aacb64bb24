import { expect, test } from "vitest";
import { checkSources } from "../test/harness/checked-sources.ts";

const listed = ["pg_stat", "activity"].join("_");
const locks = ["pg", "locks"].join("_");
const file = "server/people/a.test.ts";

test.each([
  [
    "the sessions of its database",
    `query(sql\`\n select from ${listed}\n where datname = current_database()\`);`,
  ],
  ["one session", `query("select from ${listed} where pid = $1");`],
  ["some sessions", `query(sql\`select from ${listed} where pid = any(\${pids})\`);`],
])("a test may ask for %s", (_, statement) => {
  expect(checkSources({ [file]: statement })).toEqual({ problems: [], status: 0 });
});

test("a comment may name what is listed", () => {
  expect(checkSources({ [file]: `// It's from \`${locks}\`.\n/* from "${listed}" */` }).problems).toEqual([]);
});

test.each([
  ["the sessions of the whole server", `\n  query(sql\`\n select from ${listed} where query like '%x%'\`);`],
  ["a relation by its oid", `\n  query("select from ${locks} where relation = 'users'::regclass");`],
  [
    "the locks of the whole server, in the tests' harness",
    `\n  query("select from ${locks}");`,
    "test/harness/a.ts",
  ],
])("a test that asks for %s is refused", (_, statement, place = file) => {
  expect(checkSources({ [place]: statement })).toEqual({
    problems: [`${place}:2: other files' sessions are listed, too, so name current_database() or the pid.`],
    status: 1,
  });
});
