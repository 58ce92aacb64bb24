import { expect, test } from "vitest";
import { startToyServer } from "../../../test/harness/toy-server.ts";
import { DatabaseUnavailable, OutcomeUnknown } from "../db/database-unavailable.ts";
import { StorageAway } from "../file-storage/file-storage.ts";
import { HttpStats } from "./http-stats.ts";
import { RequestLog } from "./request-log.ts";

/** As the database, or the file system, throws it. */
const withCode = (code: string) => Object.assign(new Error("could not extend file: secret detail"), { code });

async function failure(error: unknown) {
  const { all } = await startToyServer();
  const { declaration } = new RequestLog(all.options.log, new HttpStats()).failure(error, "1", "sendToy");
  return { ...declaration, logged: all.logged.join("") };
}

test.each([
  ["53100", "DISK_FULL"],
  ["ENOSPC", "DISK_FULL"],
  ["EDQUOT", "DISK_FULL"],
  ["EROFS", "DISK_FULL"],
  ["53200", "OUT_OF_MEMORY"],
])("of an error %s people are told %s, and the log has no stack", async (code, told) => {
  const { status, code: answered, logged } = await failure(withCode(code));
  expect([status, answered]).toEqual([503, told]);
  expect(logged).toContain('"endpoint":"sendToy"');
  expect(logged).not.toMatch(/secret detail|stack/);
});

test("a database without a free connection is another thing than one that is away", async () => {
  expect(await failure(new DatabaseUnavailable(withCode("53300")))).toMatchObject({
    status: 503,
    code: "TOO_MANY_CONNECTIONS",
  });
  expect(await failure(new DatabaseUnavailable(withCode("ECONNREFUSED")))).toMatchObject({
    code: "SERVER_NOT_READY",
  });
});

test("what may have happened is not called undone", async () => {
  expect((await failure(new OutcomeUnknown(withCode("53100")))).code).not.toBe("DISK_FULL");
});

test("a storage of files that is away is said", async () => {
  expect(await failure(new StorageAway("bucket-away", "The storage can't be reached."))).toMatchObject({
    status: 503,
    code: "FILES_AWAY",
  });
});
