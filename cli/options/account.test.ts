import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { fromDevelopmentServer } from "./account.ts";

test("a server that takes a connection and is silent is told from one that is not there", async () => {
  const silent = net.createServer();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const site = `http://127.0.0.1:${(silent.address() as net.AddressInfo).port}`;
  const sockets: net.Socket[] = [];
  silent.on("connection", (socket) => sockets.push(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  await expect(fromDevelopmentServer(site, "ada@demo.test", 50)).rejects.toThrow(
    `The server at ${site} takes connections and does not answer. parley doctor says more.`,
  );
  silent.close();
  for (const socket of sockets) socket.destroy();
  await expect(fromDevelopmentServer(site, "ada@demo.test", 50)).rejects.toThrow(
    `No server answers at ${site}.`,
  );
});
