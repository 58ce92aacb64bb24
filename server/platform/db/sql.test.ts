import { describe, expect, test } from "vitest";
import { joinSql, prepare, sql } from "./sql.ts";

describe("SQL statements", () => {
  test("values are bound, never part of the text", () => {
    const statement = sql`select * from users where email = ${"'; drop table users; --"} and id = ${7}`;
    expect(statement.text).toBe("select * from users where email = $1 and id = $2");
    expect(statement.values).toEqual(["'; drop table users; --", 7]);
  });

  test("a statement without fragments has the same name each time, so it is prepared once", () => {
    const find = (id: number) => sql`select * from users where id = ${id}`;
    expect(find(1).name).toBeDefined();
    expect(find(2).name).toBe(find(1).name);
    expect(sql`select 1`.name).not.toBe(find(1).name);
  });

  test("the values of a nested fragment are bound in order", () => {
    const condition = sql`role <= ${200}`;
    const statement = sql`select * from users where id = ${5} and ${condition} limit ${10}`;
    expect(statement.text).toBe("select * from users where id = $1 and role <= $2 limit $3");
    expect(statement.values).toEqual([5, 200, 10]);
    expect(statement.name).toBeUndefined();
  });

  test("a composed statement can be named after its text, so that it is prepared, too", () => {
    const find = (role: number) => prepare(sql`select * from users where ${sql`role <= ${role}`}`);
    expect(find(200).name).toBeDefined();
    expect(find(400)).toEqual({ ...find(200), values: [400] });
    expect(prepare(sql`select ${sql`1`}`).name).not.toBe(find(200).name);
  });

  test("the values of joined fragments are numbered consecutively", () => {
    const statement = sql`select 1 where ${joinSql([sql`a = ${1}`, sql`b = ${2}`, sql`c`], " and ")} or d = ${3}`;
    expect(statement.text).toBe("select 1 where a = $1 and b = $2 and c or d = $3");
    expect(statement.values).toEqual([1, 2, 3]);
  });

  // This test is the last, since it uses up the names of this process.
  test("the number of prepared texts is limited, since each takes memory in every connection", () => {
    const texts = Array.from({ length: 600 }, (_, index) =>
      prepare(joinSql(Array(index + 2).fill(sql`(1)`), " + ")),
    );
    const prepared = texts.filter(({ name }) => name !== undefined);
    expect(prepared.length).toBeGreaterThan(400);
    expect(prepared.length).toBeLessThanOrEqual(500);
  });
});
