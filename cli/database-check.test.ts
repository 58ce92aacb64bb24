import net from "node:net";
import { expect, inject, onTestFinished, test } from "vitest";
import { waitForDatabase } from "./database-check.ts";

/** A port that leads to the database of the tests, once `open` is called. */
async function closedPort(): Promise<{ port: number; open(): void }> {
  const { host, port: ofDatabase } = inject("postgres").superuser;
  const proxy = net.createServer((client) => {
    const server = net.connect(`${host}/.s.PGSQL.${ofDatabase}`);
    for (const socket of [client, server]) socket.on("error", () => {});
    client.pipe(server).pipe(client);
  });
  const port = await new Promise<number>((resolve) => {
    const found = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = found.address() as net.AddressInfo;
      found.close(() => resolve(port));
    });
  });
  onTestFinished(() => void proxy.close());
  return { port, open: () => void proxy.listen(port, "127.0.0.1") };
}

test("a start waits for a database that is not up yet, and says so", async () => {
  const { user, database } = inject("postgres").superuser;
  const { port, open } = await closedPort();
  const sentences: string[] = [];
  await waitForDatabase(`postgres://${user}@127.0.0.1:${port}/${database}`, (sentence) => {
    sentences.push(sentence);
    open();
  });
  expect(sentences).toEqual([
    `The database at 127.0.0.1:${port}/${database} in DATABASE_URL can't be reached: nothing listens there. Parley waits for it for another 60 seconds.`,
  ]);
});

test("it waits for no database that refuses, or has an unknown address", async () => {
  const { user } = inject("postgres").superuser;
  const { port, open } = await closedPort();
  open();
  const tell = () => expect.unreachable();
  await expect(
    waitForDatabase(`postgres://${user}@127.0.0.1:${port}/no_such_database`, tell),
  ).rejects.toThrow('database "no_such_database" does not exist');
  await expect(waitForDatabase("postgres://x@nothing.invalid/parley", tell)).rejects.toThrow(
    "its host name is unknown",
  );
});
