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

class DatabaseUnavailable extends Error {}

test.each([
  ["a socket that is gone", Object.assign(new Error("connect"), { code: "ENOENT", syscall: "connect" })],
  ["a closed port", Object.assign(new Error("connect"), { code: "ECONNREFUSED", syscall: "connect" })],
  ["a database that stops", refusal("57P01", "terminating connection due to administrator command")],
  ["a database that starts", refusal("57P03", "the database system is starting up")],
  ["a connection that ended", new Error("Connection terminated unexpectedly")],
  ["a database that does not come back", new DatabaseUnavailable("the database can't be reached")],
])("%s says that the server was stopped", (_, error) => {
  expect(explainFailure(error)).toMatch(
    /^The database went away while the command worked: .*Run the command again/,
  );
});

test("a file that is missing is no database that is gone", () => {
  const bug = Object.assign(new Error("open"), { code: "ENOENT", syscall: "open" });
  expect(explainFailure(bug)).toBe(bug.stack);
});

test("a bug keeps its stack, also if something failed before", () => {
  const bug = new Error("a bug", { cause: refusal("EPERM", "not permitted") });
  expect(explainFailure(bug)).toBe(bug.stack);
});
