import { expect, test } from "vitest";
import { isControl, nameOfStatement } from "./statement-name.ts";

test("a statement has the name of what it changes", () => {
  const text = `
    with log as (update organization_logs set head = head + 1 returning head), written as (
      insert into events (position) select head from log on conflict do nothing
    ) select head from log`;
  expect(nameOfStatement(text)).toBe("update organization_logs, insert events");
  expect(nameOfStatement("insert into stars (id) values ($1) on conflict (id) do update set id = 1")).toBe(
    "insert stars",
  );
});

test("a statement that changes nothing has the name of the first table that it reads", () => {
  const text = "with own as (select id from channels c) select extract(epoch from m.sent_at) from own join x";
  expect(nameOfStatement(text)).toBe("select channels");
  expect(nameOfStatement("select id from messages where id = $1 for no key update")).toBe("select messages");
  expect(nameOfStatement("select m.id from unnest($1::int[]) as id join messages m using (id)")).toBe(
    "select messages",
  );
});

test("a statement without a table has the name of what it calls", () => {
  expect(
    nameOfStatement("select coalesce(bool_and(pg_try_advisory_xact_lock(key)), true) from unnest($1)"),
  ).toBe("select pg_try_advisory_xact_lock");
});

test("what begins or ends a transaction is no statement that is planned", () => {
  expect(
    ["begin isolation level repeatable read, read only", "commit", "rollback"].map(nameOfStatement),
  ).toEqual(["begin", "commit", "rollback"]);
  expect([isControl("commit"), isControl("select 1")]).toEqual([true, false]);
});
