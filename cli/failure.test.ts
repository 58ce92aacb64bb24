import { expect, test } from "vitest";
import { explainFailure } from "./failure.ts";

const refusal = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each([
  ["53100", "could not extend file", "The disk under the database is full. Free some space, then try again."],
  ["53200", "out of memory", "The database has too little memory. Give the machine more, then try again."],
  [
    "53300",
    "too many clients",
    "All connections of the database are taken. Stop what uses them, or raise its max_connections.",
  ],
  [
    "25006",
    "cannot execute INSERT",
    "The database takes no writes: it is read-only or a replica. Set DATABASE_URL to the primary server.",
  ],
  [
    "42501",
    "permission denied for schema public",
    "The database refused: permission denied for schema public. Its user must own the database: ALTER DATABASE … OWNER TO ….",
  ],
])("an error %s of the database is a sentence, also within another error", (code, message, sentence) => {
  const error = refusal(code, message);
  expect(explainFailure(error)).toBe(sentence);
  expect(explainFailure(new Error("The migration 0001_foundation.sql failed.", { cause: error }))).toBe(
    sentence,
  );
});

test("a bug keeps its stack, also if something failed before", () => {
  const bug = new Error("a bug", { cause: refusal("EPERM", "not permitted") });
  expect(explainFailure(bug)).toBe(bug.stack);
});
