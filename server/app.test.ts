import { expect, test } from "vitest";
import { createLog } from "./app.ts";

function lineOf(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown> {
  const lines: string[] = [];
  write(createLog({ logLevel: "info" }, { write: (line) => void lines.push(line) }));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] as string);
}

test("the log has the kind and the place of an error, and none of the values that the database names", () => {
  const detail = "Key (lower(email))=(someone@x.test) already exists.";
  const cause = Object.assign(new Error("duplicate key"), { code: "23505", detail, where: detail });
  const error = new TypeError("a task failed", { cause });
  for (const line of [
    lineOf((log) => log.error({ err: cause }, "failed")),
    lineOf((log) => log.error({ err: error }, "failed")),
    lineOf((log) => log.error(cause)),
    lineOf((log) => log.child({ part: "jobs" }).error({ err: error })),
  ]) {
    expect(JSON.stringify(line)).not.toContain("someone@x.test");
    expect(JSON.stringify(line)).toContain("23505");
  }
  const { err } = lineOf((log) => log.error({ err: error }, "failed"));
  expect(err).toMatchObject({ type: "TypeError", message: "a task failed", cause: { code: "23505" } });
  expect((err as { stack: string }).stack).toContain("app.test.ts");
});
