import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { Exposition } from "../../test/harness/exposition.ts";
import { counter, type Reading } from "../platform/metrics/reading.ts";
import { serveMetrics } from "./metrics-listener.ts";

const tea = counter("parley_cups_total", "Cups of tea.", [
  [{ kind: "green" }, 3],
  [{ kind: 'with "milk"\n' }, 1],
]);

async function start(
  gather: () => Promise<readonly (readonly Reading[])[]> = async () => [[tea], [tea]],
  host = "127.0.0.1",
): Promise<{ url: string; lines: string[] }> {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const listener = await serveMetrics({ host, port: 0 }, gather, log);
  onTestFinished(() => listener.close());
  return { url: listener.url, lines };
}

test("the metrics of all processes are added up and served in Prometheus' format", async () => {
  const { url } = await start();
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  expect(text).toContain("# TYPE parley_cups_total counter\n");
  expect(new Exposition(text).value("parley_cups_total", { kind: "green" })).toBe(6);
  expect((await fetch(`${url}?name=cups`)).status).toBe(200);
});

test("nothing else is served at that address", async () => {
  const { url } = await start();
  for (const path of ["/", "/metrics/", "/metricsx", "/health", "/api/v1/users/me"]) {
    expect((await fetch(new URL(path, url))).status, path).toBe(404);
  }
  for (const method of ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"]) {
    const response = await fetch(url, { method, ...(method === "POST" ? { body: "x" } : {}) });
    expect([response.status, response.headers.get("allow")], method).toEqual([405, "GET"]);
  }
});

test("an IPv6 address is served too", async () => {
  const { url } = await start(undefined, "::1");
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/metrics$/);
  expect((await fetch(url)).status).toBe(200);
});

test("scrapes at one time share a reading", async () => {
  let readings = 0;
  const { url } = await start(async () => {
    readings++;
    await sleep(100);
    return [[tea]];
  });
  const scrapes = Array.from({ length: 10 }, () => fetch(url));
  for (const response of await Promise.all(scrapes)) expect(response.status).toBe(200);
  expect(readings).toBeLessThan(10);
  await fetch(url);
  expect(readings).toBeGreaterThan(1);
});

test("a failed reading is answered, logged, and not kept", async () => {
  let isBroken = true;
  const { url, lines } = await start(async () => {
    if (isBroken) throw new Error("broken");
    return [[tea]];
  });
  expect((await fetch(url)).status).toBe(500);
  expect(lines.join("")).toContain("the metrics can't be read");
  isBroken = false;
  expect((await fetch(url)).status).toBe(200);
});

test("an address that is taken is reported with the name of its setting", async () => {
  const { url } = await start();
  const second = serveMetrics(
    { host: "127.0.0.1", port: Number(new URL(url).port) },
    async () => [],
    pino({ level: "silent" }),
  );
  await expect(second).rejects.toMatchObject({ code: "EADDRINUSE", setting: "PARLEY_METRICS" });
});
