import { expect, test } from "vitest";
import { checkSources } from "../test/harness/checked-sources.ts";

/** Sources without fault, to which each test adds its own. */
const innocent = {
  "api/limits.ts": "export const MAX_TITLE_LENGTH = 60;",
  "client/connection.ts": "export const connection = 1;",
  "cli/main.ts": "export const main = 1;",
  "server/app.ts": "export const app = 1;",
  "web/form.tsx":
    'import { MAX_TITLE_LENGTH } from "../api/limits.ts";\n\nconst MAX_SHOWN = 8;\nexport const form = <input size={MAX_SHOWN} data-max={MAX_TITLE_LENGTH} />;',
};

const check = (files: Record<string, string>) => checkSources({ ...innocent, ...files });

test("sources without fault pass", () => {
  expect(check({})).toEqual({ problems: [], status: 0 });
});

test.each([
  ["in a field", "export const form = <input data-max={60} />;", "data-max={60"],
  ["for a component", "export const form = <TextField maxLength={1_000} />;", "maxLength={1_000"],
  ["as a browser counts", 'export const form = <input maxlength="60" />;', "maxlength="],
  [
    "under a name of its own",
    "const MAX_NAME_LENGTH = 60;\nexport const form = <input data-max={MAX_NAME_LENGTH} />;",
    "MAX_NAME_LENGTH",
  ],
  ["under the contract's name", "export const MAX_TITLE_LENGTH = 100;", "MAX_TITLE_LENGTH"],
  [
    "for what the server has not said",
    "export const most = Number(constants.max_title_length ?? 60);",
    "max_title_length ?? 60",
  ],
])("a limit that the client writes %s is refused", (_, text, found) => {
  const { problems, status } = check({ "web/other.tsx": text });
  expect(problems).toEqual([
    `web/other.tsx: a limit that the server has is read from api/limits.ts (${found}).`,
  ]);
  expect(status).toBe(1);
});

const lines = (count: number) => Array.from({ length: count }, (_, at) => `  note(${at});`).join("\n");

test("a function of the client that is longer than a hundred lines is refused, unless it says why", () => {
  const long = (name: string) => `export function ${name}() {\n${lines(99)}\n}`;
  const { problems } = check({
    "web/long.tsx": `${long("drawAll")}\n\nexport const drawMore = () => {\n${lines(99)}\n};`,
    "web/short.ts": `export function drawLess() {\n${lines(98)}\n}`,
    "web/whole.ts": `/**\n * What is drawn.\n * LONG: its steps have their order from the format.\n */\n${long("drawWhole")}`,
    "web/silent.ts": `// LONG:\n${long("drawSilently")}`,
    "web/long.test.ts": long("drawTested"),
    "client/long.ts": long("drawElsewhere"),
  });
  expect(problems).toEqual([
    expect.stringContaining("web/long.tsx:1: drawAll has 101 lines, where 100 are allowed."),
    expect.stringContaining("web/long.tsx:103: drawMore has 101 lines"),
    expect.stringContaining("web/silent.ts:2: drawSilently has 101 lines"),
  ]);
});
