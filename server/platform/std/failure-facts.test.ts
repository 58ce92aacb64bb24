import { expect, test } from "vitest";
import { DatabaseUnavailable } from "../db/database-unavailable.ts";
import { MailNotTaken } from "../mail/refusal.ts";
import { failureFacts } from "./failure-facts.ts";

test("an error is logged with its cause, and without the values that an error of the database has", () => {
  const cause = Object.assign(new Error("duplicate key"), {
    code: "23505",
    detail: "Key (email)=(a@b.test)",
  });
  const facts = failureFacts(new TypeError("it failed", { cause }));
  expect(facts).toMatchObject({ type: "TypeError", message: "it failed", cause: { code: "23505" } });
  expect(JSON.stringify(facts)).not.toContain("a@b.test");
});

test("a shortage is logged by its name alone, wherever in the error it is", () => {
  const full = Object.assign(new Error("could not extend file"), { code: "53100" });
  expect(failureFacts(full)).toEqual({ type: "Error", code: "53100", shortage: "disk" });
  expect(failureFacts(new Error("a job failed", { cause: full }))).toEqual({
    type: "Error",
    code: undefined,
    shortage: "disk",
  });
});

test("what a neighbour did comes with each try, and has no stack", () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED 10.0.0.1:25"), { code: "ECONNREFUSED" });
  for (const error of [new MailNotTaken("the mail could not be sent", "x"), new DatabaseUnavailable(cause)]) {
    const line = JSON.stringify(failureFacts(error));
    expect(line).toContain(error.message);
    expect(line).not.toContain("stack");
    expect(line.length).toBeLessThan(300);
  }
  expect(failureFacts(new DatabaseUnavailable(cause)).cause).toMatchObject({ code: "ECONNREFUSED" });
  expect(failureFacts(new Error("a bug", { cause }))).toHaveProperty("cause.stack");
});
