import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { limitConnections } from "../http/connection-limit.ts";
import { listenPlain } from "./plain-listener.ts";

const PUBLIC_URL = "https://chat.test";

async function start(perAddress: number) {
  const log = { warn: vi.fn() };
  const place = { host: "127.0.0.1", port: 0 };
  const limit = { perAddress, countsLoopback: true };
  const server = await listenPlain(place, PUBLIC_URL, new Map([["token", "answer"]]), (listening) =>
    limitConnections(listening, log, undefined, limit),
  );
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { log, port: (server.address() as AddressInfo).port };
}

/** Resolves when the connection ends, with what came. */
function send(port: number, localAddress: string, text: string): { socket: Socket; end: Promise<string> } {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  let received = "";
  socket.on("data", (bytes) => {
    received += bytes;
  });
  socket.on("error", () => {});
  const end = new Promise<string>((resolve) => socket.once("close", () => resolve(received)));
  socket.write(text);
  return { socket, end };
}

const ask = (target: string) => `GET ${target} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`;

test("one address that holds connections keeps the authority from none", async () => {
  const { log, port } = await start(2);
  const held = [send(port, "127.0.0.2", "GET /"), send(port, "127.0.0.2", "GET /")];
  onTestFinished(() => {
    for (const { socket } of held) socket.destroy();
  });
  await vi.waitFor(async () => expect(await send(port, "127.0.0.2", ask("/")).end).toBe(""));
  expect(log.warn).toHaveBeenCalledTimes(1);
  const answer = await send(port, "127.0.0.3", ask("/.well-known/acme-challenge/token")).end;
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*\banswer\b/s);
});

test.each(["/", "//evil.test/", "http://evil.test/", "/\\evil.test", "*"])(
  "a request for %s is led to people's address alone",
  async (target) => {
    const { port } = await start(2);
    const answer = await send(port, "127.0.0.1", ask(target)).end;
    const location = /^Location: (.*)$/im.exec(answer)?.[1] ?? "";
    expect(new URL(location).origin).toBe(PUBLIC_URL);
  },
);
