import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { build } from "./parley.ts";

beforeAll(build);

/** Runs a program with a `shutdown` whose steps it prints. It exits with the code of the shutdown. */
function run(body: string) {
  const program = `
    import { Shutdown } from "./dist/server/process/shutdown.js";
    const say = (text) => console.log(text);
    const log = { fatal: (_, text) => say(text), warn: (_, text) => say(text ?? _) };
    const shutdown = new Shutdown(log);
    setInterval(() => {}, 1000);
    ${body}
    const code = await shutdown.begun;
    await shutdown.stopAll();
    process.exit(code);`;
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const startedAt = performance.now();
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd,
    encoding: "utf8",
  });
  return { code: status, lines: stdout.trim().split("\n"), tookMs: performance.now() - startedAt };
}

describe("the shutdown of a server", () => {
  test("stops in the reverse order of the start", () => {
    const { code, lines } = run(`
      for (const name of ["database", "modules", "port"]) shutdown.onStop(async () => say(name));
      process.kill(process.pid, "SIGTERM");`);
    expect({ code, lines }).toEqual({ code: 0, lines: ["port", "modules", "database"] });
  });

  test.each([
    ["an uncaught error", 'setTimeout(() => { throw new Error("?"); });'],
    ["an unhandled rejection", 'Promise.reject(new Error("?"));'],
  ])("is orderly and exits with 1 after %s", (what, failure) => {
    const { code, lines } = run(`shutdown.onStop(async () => say("database")); ${failure}`);
    expect({ code, lines }).toEqual({ code: 1, lines: [what, "database"] });
  });

  test("goes on when one part can't be stopped properly", () => {
    const { code, lines } = run(`
      shutdown.onStop(async () => say("database"));
      shutdown.onStop(() => Promise.reject(new Error("?")));
      shutdown.begin(0);`);
    expect({ code, lines }).toEqual({
      code: 0,
      lines: ["something could not be stopped properly", "database"],
    });
  });

  test("ends within five seconds even if something hangs", () => {
    const { code, tookMs } = run("shutdown.onStop(() => new Promise(() => {})); shutdown.begin(0);");
    expect(code).toBe(0);
    expect(tookMs).toBeGreaterThan(4000);
    expect(tookMs).toBeLessThan(6000);
  });

  test("exits with the code of its first reason", () => {
    expect(run("shutdown.begin(1); shutdown.begin(0);").code).toBe(1);
  });
});
