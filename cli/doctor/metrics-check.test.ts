import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { checkMetrics } from "./metrics-check.ts";

/** A port on which something answers with this text. */
async function serve(text: string): Promise<number> {
  const server = http.createServer((_, response) => response.end(text));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const at = (host: string, port: number) => checkMetrics({ metrics: { host, port } });

test("metrics that are served nowhere are no problem", async () => {
  expect(await checkMetrics({ metrics: undefined })).toEqual({
    hasPassed: true,
    text: "Metrics are served nowhere.",
  });
});

test("an address that another program uses is none for metrics", async () => {
  const port = await serve("<h1>A page</h1>");
  expect(await at("127.0.0.1", port)).toEqual({
    hasPassed: false,
    fault: "metrics-port",
    text: `PARLEY_METRICS is 127.0.0.1:${port}, which is in use, and no Parley server serves metrics there.`,
    advice: "Stop the program that uses it, or choose another port with PARLEY_METRICS.",
  });
});

test("the running server's own metrics are none that are in the way", async () => {
  const port = await serve('parley_build_info{version="0.1.0"} 1\n');
  const finding = { hasPassed: true, text: `Metrics are served at 127.0.0.1:${port}.` };
  expect(await at("127.0.0.1", port)).toEqual(finding);
});

test("an address that this machine does not have can't be used", async () => {
  expect(await at("192.0.2.1", 9992)).toMatchObject({
    hasPassed: false,
    text: "PARLEY_METRICS is 192.0.2.1:9992, which can't be used (EADDRNOTAVAIL).",
  });
});

test("an address that others can reach is a doubt", async () => {
  expect(await at("0.0.0.0", 0)).toMatchObject({ hasPassed: true, isWarning: true });
  expect(await at("::", 0)).toMatchObject({ isWarning: true });
  expect((await at("::1", 0)).isWarning).toBeUndefined();
});
