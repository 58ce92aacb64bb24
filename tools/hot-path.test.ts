import { expect, test } from "vitest";
import { checkSources } from "../test/harness/checked-sources.ts";

const file = "server/messages/send/batch.ts";
const problemsOf = (text: string, at = file) => checkSources({ [at]: text }).problems;

test("an object spread in a file that each send comes through is refused, with what to write", () => {
  const text = "const [first] = all;\nconst draft = {\n  ...first,\n  text,\n};\n";
  expect(checkSources({ [file]: text })).toEqual({
    problems: [
      `${file}:3: each send comes through this file, so write all fields in one literal, with null` +
        " or undefined for those that are absent, in place of an object spread.",
    ],
    status: 1,
  });
  expect(problemsOf("const made = () => ({ ...row, ...(text && { text }) });\n")).toHaveLength(2);
});

test("a spread of a list, of arguments or in a pattern, a comment and another file are not", () => {
  const others =
    'const { id, ...rest } = row;\ncall(...[...ids, id]);\n// as in { ...row }\nlog("{ ...row }");\n';
  expect(problemsOf(others)).toEqual([]);
  expect(problemsOf("const made = { ...row };\n", "server/messages/send/post.ts")).toEqual([]);
});
