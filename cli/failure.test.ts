import { expect, test } from "vitest";
import { ArchiveError } from "../server/imports/archive/archive-error.ts";
import type { FaultName } from "../server/platform/faults/catalogue.ts";
import { ConfigError } from "../server/setting-values.ts";
import { UsageError } from "./command.ts";
import { describeFailure, explainFailure } from "./failure.ts";

const refusal = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each<[string, FaultName, string, string]>([
  [
    "53100",
    "disk-full",
    "could not extend file",
    "The disk under the database is full. Free some space, then try again.",
  ],
  [
    "53200",
    "no-memory",
    "out of memory",
    "The database has too little memory. Give the machine more, then try again.",
  ],
  [
    "53300",
    "database-connections",
    "too many clients",
    "All connections that the database allows are taken. Stop what uses them, or raise max_connections, or the limit of the role or the database: a server needs up to 31 for each process.",
  ],
  [
    "25006",
    "database-read-only",
    "cannot execute INSERT",
    "The database takes no writes: it is read-only or a replica. Set DATABASE_URL to the primary server.",
  ],
  [
    "42501",
    "database-denied",
    "permission denied for schema public",
    "The database refused: permission denied for schema public. Its user must own the database: ALTER DATABASE … OWNER TO ….",
  ],
])("an error %s of the database is %s, also within another error", (code, fault, message, sentence) => {
  const error = refusal(code, message);
  expect(describeFailure(error)).toEqual([fault, sentence]);
  expect(describeFailure(new Error("The migration 0001_foundation.sql failed.", { cause: error }))).toEqual([
    fault,
    sentence,
  ]);
});

test("a sentence ends with the number of its fault, whose exit code the program has", () => {
  expect(explainFailure(refusal("ENOSPC", "no space"))).toEqual({
    text: "The disk is full. Free some space, then try again. (P216)",
    exit: 74,
  });
  expect(explainFailure(new ConfigError("setting-wrong", "PARLEY_PORT is 'x'."))).toEqual({
    text: "PARLEY_PORT is 'x'. (P101)",
    exit: 78,
  });
});

test("a wrong call has no number, and the exit code that shells give it", () => {
  expect(explainFailure(new UsageError("Give --yes."))).toEqual({ text: "Give --yes.", exit: 2 });
});

test("a port that is taken may be free in a moment, and one that needs a right may not", () => {
  const listening = (code: string) => Object.assign(refusal(code, code), { syscall: "listen", port: 80 });
  expect(explainFailure(listening("EADDRINUSE")).exit).toBe(75);
  expect(explainFailure(listening("EACCES")).exit).toBe(77);
  expect(explainFailure(listening("EADDRNOTAVAIL")).exit).toBe(69);
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
  const { text, exit } = explainFailure(error);
  expect(text).toMatch(/^The database went away while the command worked: .*Run the command again/);
  expect([text.slice(-7), exit]).toEqual([" (P301)", 69]);
});

test.each(["write EPIPE", "read ECONNRESET"])(
  "a database that stops while a command connects: %s",
  (message) => {
    const [syscall = "", code = ""] = message.split(" ");
    const error = Object.assign(refusal(code, message), { syscall });
    expect(describeFailure(error)[0]).toBe("database-away");
    const ofFile = Object.assign(refusal("EPIPE", "EPIPE: broken pipe, write"), { syscall: "write" });
    expect(describeFailure(ofFile)[0]).toBe("bug");
  },
);

test("a file that is missing is no database that is gone", () => {
  const bug = Object.assign(new Error("open"), { code: "ENOENT", syscall: "open" });
  expect(explainFailure(bug).exit).toBe(70);
});

test("a bug keeps its stack, also if something failed before", () => {
  const bug = new Error("a bug", { cause: refusal("EPERM", "not permitted") });
  expect(explainFailure(bug)).toEqual({
    text: `${bug.stack}\nThis is a fault of Parley. (P521)`,
    exit: 70,
  });
});

test("names of files in an archive can't command the terminal", () => {
  const { text } = explainFailure(new ArchiveError("files/\u001b]0;owned\u0007x\nis damaged."));
  expect(text).toMatch(/^files\/.*is damaged\. \(P517\)$/);
  expect(text).not.toMatch(/\p{Cc}/u);
});
