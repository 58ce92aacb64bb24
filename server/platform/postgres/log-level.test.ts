import { expect, test } from "vitest";
import { levelOfLine } from "./log-level.ts";

test.each([
  ["LOG:  database system is ready to accept connections", "debug"],
  ["LOG:  server process (PID 4711) was terminated by signal 9: Killed", "warn"],
  ["LOG:  checkpoints are occurring too frequently (3 seconds apart)", "warn"],
  ["LOG:  database system was interrupted; last known up at 2026-11-24 03:24:00 UTC", "warn"],
  ["LOG:  could not receive data from client: Connection reset by peer", "debug"],
  ['LOG:  could not write to file "pg_wal/xlogtemp.7": No space left on device', "warn"],
  ["WARNING:  terminating connection because of crash of another server process", "debug"],
  ['WARNING:  database "parley" must be vacuumed within 10985967 transactions', "warn"],
  ["FATAL:  terminating connection due to administrator command", "debug"],
  ["FATAL:  the database system is in recovery mode", "debug"],
  ['FATAL:  role "parley" does not exist', "debug"],
  ["FATAL:  connection requires a valid client certificate", "warn"],
  ["FATAL:  could not write init file: No space left on device", "error"],
  ["PANIC:  could not locate a valid checkpoint record", "error"],
  ['ERROR:  invalid page in block 7 of relation "base/5/16687"', "warn"],
  ['ERROR:  could not extend file "base/5/16756": No space left on device', undefined],
  ['ERROR:  could not read block 7 in file "base/5/16687": Input/output error', "warn"],
  ['ERROR:  invalid input syntax for type integer: "a secret"', undefined],
  ["STATEMENT:  select 'a secret'", undefined],
  ["DETAIL:  Key (email)=(ann@acme.test) already exists.", undefined],
])("%s", (line, level) => {
  expect(levelOfLine(line)).toBe(level);
});
