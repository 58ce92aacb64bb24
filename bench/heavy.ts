/**
 * Many heavy messages at once: 1,500 sends of 10,000 characters with a lot of Markdown, each on a connection
 * of its own. Meanwhile others ask for `/health` and send short messages, one after another. They must not
 * wait for the flood. The baseline is the same without it.
 */
import type { Person } from "./harness/fixture.ts";
import { HttpConnection } from "./harness/http-connection.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, load, startParley } from "./harness/processes.ts";
import { checkRest, printGoal, printTable, save } from "./harness/report.ts";
import { post, sends } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";

const MESSAGES = size(1500, 20);
const LENGTH = 10_000;
const SENDERS = size(50, 5);
const GOAL_MS = 100;

const HEALTH = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";

await scenario(async () => {
  checkRest();
  const parley = await startParley({ people: SENDERS + 1, keys: SENDERS + 1, subscribers: SENDERS + 1 });
  const [other, ...flooders] = parley.people as [Person, ...Person[]];
  const short = sends(parley.channelId, [other]);
  const heavy = (round: number) =>
    Array.from({ length: MESSAGES }, (_, index) =>
      Buffer.from(
        post(flooders[index % flooders.length] as Person, "/messages", {
          type: "channel",
          to: String(parley.channelId),
          topic: `topic ${index % 20}`,
          content: heavyText(round * MESSAGES + index),
        }),
      ),
    );
  const ask = (requests: string[], seconds: number) =>
    load({ port: parley.port, connections: 1, warmupSeconds: 0.5, seconds, requests });
  const seconds = size(20, 3);

  // A server that has just started is slower, and this is not about its start.
  await flood(parley.port, heavy(0).slice(0, 200));
  const quiet = { health: await ask([HEALTH], 3), sent: await ask(short, 3) };
  const flooding = afterSeconds(1, () => flood(parley.port, heavy(1)));
  const [health, sent, took] = await Promise.all([ask([HEALTH], seconds), ask(short, seconds), flooding]);

  const row = (what: string, spread: typeof health) => ({
    what,
    "p50 ms": spread.p50Ms,
    "p99 ms": spread.p99Ms,
    "longest ms": spread.maxMs,
  });
  printTable(
    `While ${MESSAGES} messages of ${LENGTH} characters are sent in ${took.toFixed(1)} s; ${HEAP_FLAGS.join(" ")}`,
    [
      row("/health, without the flood", quiet.health),
      row("/health", health),
      row("a short send, without the flood", quiet.sent),
      row("a short send", sent),
    ],
  );
  console.log();
  printGoal("the longest wait of /health, ms", health.maxMs, { most: GOAL_MS });
  save("heavy", { messages: MESSAGES, length: LENGTH, heapFlags: HEAP_FLAGS, took, quiet, health, sent });
});

/**
 * Sends all requests at once, each on its own connection. Resolves with the seconds until the last answer.
 */
async function flood(port: number, requests: readonly Buffer[]): Promise<number> {
  let answered = () => {};
  let failed: (error: unknown) => void = () => {};
  let waiting = requests.length;
  const listener = {
    onOpen: () => answered(),
    onAnswer(isOk: boolean, answer: Buffer) {
      if (isOk) answered();
      else failed(new Error(answer.toString("utf8", 0, 2000)));
    },
    onError: (error: unknown) => failed(error),
  };
  const all = () =>
    new Promise<void>((resolve, reject) => {
      waiting = requests.length;
      answered = () => --waiting === 0 && resolve();
      failed = reject;
    });
  const opened = all();
  const connections = requests.map(() => new HttpConnection(port, listener));
  await opened;
  const done = all();
  const startedAt = performance.now();
  for (const [index, connection] of connections.entries()) connection.send(requests[index] as Buffer);
  await done;
  const seconds = (performance.now() - startedAt) / 1000;
  for (const connection of connections) connection.close();
  return seconds;
}

function afterSeconds<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve) => setTimeout(() => resolve(work()), seconds * 1000));
}

/** Nothing of it is in a cache: each text has code of its own. */
function heavyText(n: number): string {
  const code = Array.from({ length: 30 }, (_, line) => `const soup${line} = cook("leek", ${n}, [${line}]);`);
  const paragraph =
    "**Soup** with _leek_ and `salt`, see #**bench>lunch** and https://example.com/soup :smile:\n\n* a [link](https://example.com)\n* ~~no~~ @**Olga Owner**\n\n> quoted\n\n";
  return `${n}\n\n\`\`\`ts\n${code.join("\n")}\n\`\`\`\n\n${paragraph.repeat(80)}`.slice(0, LENGTH);
}
