import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { build, start, usedDirectory, waitUntil } from "./parley.ts";

beforeAll(build);

/** The expression of the filter, with what fail2ban puts in. It takes the time out of a line first. */
function filterOf(file: URL): { failure: RegExp; time: RegExp } {
  const text = readFileSync(fileURLToPath(file), "utf8");
  const setting = (name: string) => new RegExp(`^${name} = (.*)$`, "m").exec(text)?.[1] ?? "";
  const reasons = setting("reasons");
  const failure = setting("failregex").replace("<ADDR>", "(?<address>[0-9a-f.:]+)");
  return {
    failure: new RegExp(failure.replace("<reasons>", reasons)),
    time: new RegExp(setting("datepattern").replace("{LEPOCH}", "(\\d{10}\\d{3})")),
  };
}

test("fail2ban's filter finds the clients that guess in the log of a server, and nobody else", async () => {
  const { failure, time } = filterOf(new URL("../../deploy/fail2ban/filter.d/parley.conf", import.meta.url));
  const server = await start(["demo"], {
    env: {
      PARLEY_DATA_DIR: await usedDirectory("demo"),
      PARLEY_TRUSTED_PROXIES: "127.0.0.1",
      PARLEY_OPERATOR_KEY: "a-long-key-of-the-operator",
    },
  });
  const ask = (path: string, from: string, init: RequestInit = {}) =>
    fetch(`${server.url}/api/v1${path}`, {
      ...init,
      headers: { ...init.headers, "X-Forwarded-For": from },
    });
  const guess = (from: string) =>
    ask("/fetch_api_key", from, {
      method: "POST",
      body: new URLSearchParams({ username: "ada@demo.test", password: "swordfish" }),
    });
  expect((await guess("203.0.113.7")).status).toBe(401);
  expect((await guess("2001:db8::7")).status).toBe(401);
  const authorization = `Basic ${Buffer.from(`ada@demo.test:${"x".repeat(32)}`).toString("base64")}`;
  expect((await ask("/users/me", "203.0.113.8", { headers: { authorization } })).status).toBe(401);
  const operator = await fetch(`${server.url}/operator/status.json`, {
    headers: { authorization: "Bearer swordfish-swordfish", "X-Forwarded-For": "203.0.113.9" },
  });
  expect(operator.status).toBe(401);
  const failed = () =>
    server
      .stderr()
      .split("\n")
      .filter((line) => line.includes("a sign-in failed"));
  await waitUntil(() => failed().length === 4, "all four are in the log");
  const found = failed().flatMap((line) => {
    expect(Number(time.exec(line)?.[1])).toBeGreaterThan(Date.now() - 600_000);
    // In the journal a line has the machine and the process before it.
    const shown = [line.replace(time, ""), `box parley[4242]: ${line.replace(time, "")}`];
    return shown.map((text) => failure.exec(text)?.groups?.address);
  });
  expect(found).toEqual([
    ...Array(2).fill("203.0.113.7"),
    ...Array(2).fill("2001:db8::7"),
    undefined,
    undefined,
    ...Array(2).fill("203.0.113.9"),
  ]);
  expect(server.stderr()).not.toMatch(/swordfish|ada@/);
  await server.stop();
});
