import { spawnSync } from "node:child_process";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { api, build, type Json, type Server, signIn, start, usedDirectory } from "./parley.ts";

beforeAll(build);

/** Runs a program with a `shutdown` whose steps it prints. It exits with the code of the shutdown. */
function run(body: string) {
  const program = `
    import { Shutdown } from "./dist/server/process/shutdown.js";
    const say = (text) => console.log(text);
    const log = Object.fromEntries(["fatal", "warn", "info"].map((level) => [level, (_, text) => say(text ?? _)]));
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
    expect({ code, lines }).toEqual({ code: 0, lines: ["SIGTERM: stopping", "port", "modules", "database"] });
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
    expect(tookMs).toBeLessThan(10_000);
  });

  test("exits with the code of its first reason", () => {
    expect(run("shutdown.begin(1); shutdown.begin(0);").code).toBe(1);
  });
});

describe("held polls", () => {
  test.each([[["serve"]], [["serve", "--workers", "2"]]])(
    "end with success and no events when %j stops",
    async (words) => {
      const env = { PARLEY_DATA_DIR: await usedDirectory("demo"), PARLEY_ENV: "development" };
      const server = await start(words, { env });
      const key = await signIn(server);
      const polls = [];
      for (let count = 0; count < 20; count++) {
        const { body } = await api(server, "POST", "/register", { event_types: ["message"] }, key);
        polls.push({ body, answer: poll(server, key, body) });
      }
      await sleep(1000);
      const { code } = await server.stop();
      expect(code).toBe(0);
      for (const { body, answer } of polls) {
        const { status, connection, text } = await answer;
        expect([status, connection]).toEqual([200, "close"]);
        expect(text).toBe(`{"result":"success","msg":"","events":[],"queue_id":"${body.queue_id}"}\n`);
      }
    },
  );
});

/** As many clients, it takes a broken connection for a failure. A status of 500 or more is one too. */
function poll(
  server: Server,
  key: string,
  { queue_id, last_event_id }: Json,
): Promise<{ status: number | undefined; connection: string | undefined; text: string }> {
  const url = `${server.url}/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`;
  const headers = { authorization: `Basic ${Buffer.from(key).toString("base64")}` };
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => {
        resolve({ status: response.statusCode, connection: response.headers.connection, text });
      });
    });
    request.on("error", reject);
  });
}
