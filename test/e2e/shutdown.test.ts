import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { build } from "./parley.ts";

beforeAll(build);

/** Runs a program that has an `ending` whose steps it prints, and that exits with the code that the ending gives. */
function run(body: string) {
  const program = `
    import { Ending } from "./dist/server/process/shutdown.js";
    const say = (text) => console.log(text);
    const log = { fatal: (_, text) => say(text), warn: (_, text) => say(text ?? _) };
    const ending = new Ending(log);
    setInterval(() => {}, 1000);
    ${body}
    const code = await ending.begun;
    await ending.undoAll();
    process.exit(code);`;
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const startedAt = performance.now();
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd,
    encoding: "utf8",
  });
  return { code: status, lines: stdout.trim().split("\n"), tookMs: performance.now() - startedAt };
}

describe("the end of a server", () => {
  test("undoes what was started, the last first", () => {
    const { code, lines } = run(`
      for (const name of ["database", "rooms", "port"]) ending.undo(async () => say(name));
      process.kill(process.pid, "SIGTERM");`);
    expect({ code, lines }).toEqual({ code: 0, lines: ["port", "rooms", "database"] });
  });

  test.each([
    ["an error that nobody handled", 'setTimeout(() => { throw new Error("?"); });'],
    ["a rejection that nobody handled", 'Promise.reject(new Error("?"));'],
  ])("comes in good order, with 1, after %s", (what, failure) => {
    const { code, lines } = run(`ending.undo(async () => say("database")); ${failure}`);
    expect({ code, lines }).toEqual({ code: 1, lines: [what, "database"] });
  });

  test("is not kept up by something that can't be stopped properly", () => {
    const { code, lines } = run(`
      ending.undo(async () => say("database"));
      ending.undo(() => Promise.reject(new Error("?")));
      ending.begin(0);`);
    expect({ code, lines }).toEqual({
      code: 0,
      lines: ["something could not be stopped properly", "database"],
    });
  });

  test("comes within five seconds even if something hangs", () => {
    const { code, tookMs } = run("ending.undo(() => new Promise(() => {})); ending.begin(0);");
    expect(code).toBe(0);
    expect(tookMs).toBeGreaterThan(4000);
    expect(tookMs).toBeLessThan(6000);
  });

  test("keeps the code of its first reason", () => {
    expect(run("ending.begin(1); ending.begin(0);").code).toBe(1);
  });
});
