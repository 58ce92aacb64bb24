import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { api, build, signIn, start, usedDirectory } from "./parley.ts";

beforeAll(build);

const COUNT = 10_000;

// In a process of its own, which has its own limit of open files. There are four kinds of connections:
// silent, stuck in the head, stuck in the body, or sending single bytes. One that the server ends comes back.
const crowd = `
  const net = require("node:net");
  const [port, count] = process.argv.slice(1).map(Number);
  const head = "POST /api/v1/messages HTTP/1.1\\r\\nHost: localhost\\r\\n";
  const body = head + "Content-Type: application/x-www-form-urlencoded\\r\\nContent-Length: 10000\\r\\n\\r\\nto=";
  const beginnings = ["", head + "X-Half: ", body, body];
  const slow = [];
  let opened = 0, ended = 0;
  const open = (index) => new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => {
      opened++;
      socket.write(beginnings[index % 4]);
      if (index % 4 === 3) slow.push(socket);
      resolve();
    });
    socket.on("error", resolve);
    socket.on("close", () => {
      ended++;
      setTimeout(open, 100, index);
    });
  });
  (async () => {
    for (let from = 0; from < count; from += 500) {
      await Promise.all(Array.from({ length: Math.min(500, count - from) }, (_, index) => open(from + index)));
    }
    console.log(opened);
    setInterval(() => { for (const socket of slow) socket.write("x"); }, 1000);
    process.stdin.on("data", () => console.log(opened - ended)).on("end", () => process.exit());
  })();`;

test("ten thousand half-open connections do not keep anybody from being served", {
  timeout: 180_000,
}, async () => {
  const server = await start(["demo"], { env: { PARLEY_DATA_DIR: await usedDirectory("demo") } });
  const key = await signIn(server);
  const { body: queue } = await api(server, "POST", "/register", { event_types: ["message"] }, key);

  const child = spawn(process.execPath, ["-e", crowd, server.port, String(COUNT)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout });
  expect((await once(lines, "line"))[0]).toBe(String(COUNT));

  let last = queue.last_event_id;
  for (let count = 0; count < 20; count++) {
    const waiting = api(server, "GET", "/events", { queue_id: queue.queue_id, last_event_id: last }, key);
    const message = { type: "channel", to: "general", topic: "crowd", content: `still there? ${count}` };
    const sent = await api(server, "POST", "/messages", message, key);
    const { body } = await waiting;
    expect(body.events.map((event: { message: { id: number } }) => event.message.id)).toEqual([sent.body.id]);
    last = body.events[0].id;
  }

  // They were there all the time.
  child.stdin.write("?");
  expect(Number((await once(lines, "line"))[0])).toBeGreaterThan(0.9 * COUNT);
  child.stdin.end();
  await once(child, "exit");
  expect((await server.stop()).code).toBe(0);
});
