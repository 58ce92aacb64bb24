/**
 * 100,000 people in one organization, all of them in one channel and each in five others. How long the event
 * loop stands still at most while the organization is loaded, while somebody registers first, then again, and
 * after anybody changed a name. And the memory that remains.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { AwaitedConnection } from "./harness/awaited-connection.ts";
import { median } from "./harness/figures.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, type Memory, startParley } from "./harness/processes.ts";
import { registration } from "./harness/registration.ts";
import { checkRest, printGoal, printTable, save } from "./harness/report.ts";
import { withBody } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";

const PEOPLE = size(100_000, 3000);
const TIMES = size(5, 2);
/** For what an answer leaves behind, such as the parts that the socket did not take at once. */
const REST_MS = 200;

interface Measured {
  what: string;
  ms: number[];
  stallMs: number[];
  bytes: number;
}

await scenario(async () => {
  checkRest();
  const { port, peer, people, loadMs, loadStallMs } = await startParley({
    people: PEOPLE,
    keys: 2 * TIMES,
    subscribers: PEOPLE,
    channels: 20,
    ownChannels: 5,
  });
  const loaded = await peer.ask<Memory>({ ask: "memory" });
  const line = new AwaitedConnection(port);
  const requests = people.map(registration);
  const compressed = requests.map((text) =>
    text.replace("Content-Type:", "Accept-Encoding: gzip\r\nContent-Type:"),
  );
  const names = people.map((person, number) =>
    withBody("PATCH", person, "/settings", { full_name: `Renamed ${number}` }),
  );

  const first = await measure("the first registration", requests.slice(0, 1));
  const next = await measure("the next ones", requests.slice(0, TIMES));
  const renamed = await measure("after a changed name", requests.slice(0, TIMES), names);
  const packed = await measure("the first compressed one", compressed.slice(0, 1));
  const nextPacked = await measure(
    "compressed, after a changed name",
    compressed.slice(0, TIMES),
    names.slice(TIMES),
  );
  line.close();
  const memory = await peer.ask<Memory>({ ask: "memory" });

  const all = [first, next, renamed, packed, nextPacked];
  printTable(`${PEOPLE} people in one organization; ${HEAP_FLAGS.join(" ")}`, [
    { what: "loading the organization", ms: loadMs, "the loop stands, ms": loadStallMs, MB: undefined },
    ...all.map(({ what, ms, stallMs, bytes }) => ({
      what,
      ms: median(ms),
      "the loop stands, ms": Math.max(...stallMs),
      MB: bytes / 1e6,
    })),
  ]);
  printTable("memory, MB", [memoryRow("loaded", loaded), memoryRow("at the end", memory)]);
  console.log();
  const longest = Math.max(loadStallMs, ...all.flatMap(({ stallMs }) => stallMs));
  printGoal("the longest turn of the event loop, ms", longest, { most: 50 });
  save("large-organization", {
    people: PEOPLE,
    heapFlags: HEAP_FLAGS,
    loadMs,
    loadStallMs,
    loaded,
    all,
    memory,
    longest,
  });

  /** `before`: what is asked just before each of them, and is not measured. */
  async function measure(
    what: string,
    asked: readonly string[],
    before: readonly string[] = [],
  ): Promise<Measured> {
    const measured: Measured = { what, ms: [], stallMs: [], bytes: 0 };
    for (const [number, request] of asked.entries()) {
      if (before[number] !== undefined) await answered(before[number]);
      await sleep(REST_MS);
      await peer.ask({ ask: "stall" });
      const startedAt = performance.now();
      measured.bytes = (await answered(request)).length;
      measured.ms.push(performance.now() - startedAt);
      await sleep(REST_MS);
      measured.stallMs.push((await peer.ask<{ stallMs: number }>({ ask: "stall" })).stallMs);
    }
    return measured;
  }

  async function answered(request: string): Promise<string> {
    const { status, body } = await line.ask(request);
    if (status !== 200) throw new Error(`a request failed: ${body.slice(0, 200)}`);
    return body;
  }
});

function memoryRow(when: string, { heapUsed, external, rss }: Memory) {
  return { when, heap: heapUsed / 1e6, external: external / 1e6, RSS: rss / 1e6 };
}
