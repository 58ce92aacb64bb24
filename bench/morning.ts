/**
 * A morning: everybody starts a client, 16 at a time, while others send. Each `/register` asks for everything
 * in an organization of 971 people and 1,000 channels. The baseline is the same sends alone. Then the same
 * registrations one at a time, when everybody has been there, with the processor time of each.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { AwaitedConnection } from "./harness/awaited-connection.ts";
import { spreadOf } from "./harness/figures.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, load, startParley } from "./harness/processes.ts";
import { registration } from "./harness/registration.ts";
import { checkRest, measureFsync, printGoal, printTable, save } from "./harness/report.ts";
import { sends } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";
import { each, spending } from "./harness/used.ts";

const PEOPLE = size(970, 50);
const CHANNELS = size(1000, 50);
const OWN = size(100, 5);
const SENDERS = size(50, 5);
const AT_ONCE = 16;
const SENDS_PER_SECOND = 100;
const SECONDS = size(10, 1);

await scenario(async () => {
  checkRest();
  const fsync = measureFsync();
  const parley = await startParley({
    people: PEOPLE,
    keys: PEOPLE,
    subscribers: SENDERS,
    channels: CHANNELS,
    ownChannels: OWN,
    history: { messages: CHANNELS * 10, benchShare: 0, readStretches: 1, unreadShare: 0.01 },
  });
  const { port, channelId, people } = parley;
  const texts = sends(channelId, people.slice(-SENDERS));
  const requests = people.map(registration);
  const register = (connections: number, warmupSeconds: number, seconds: number) =>
    spending(parley, () => load({ port, connections, warmupSeconds, seconds, requests }));

  // The first one also makes all that is kept.
  await load({ port, connections: 1, warmupSeconds: 0, seconds: size(1, 0.2), requests });
  const alone = await sendFor(size(5, 1));
  const [morning, beside] = await Promise.all([register(AT_ONCE, 0, SECONDS), sendFor(SECONDS)]);
  const steady = await register(1, size(2, 0.2), SECONDS);

  const row = (what: string, { result, spent }: typeof steady) => ({
    what,
    "answers/s": result.perSecond,
    "p50 ms": result.p50Ms,
    "p99 ms": result.p99Ms,
    "kB an answer": result.bytes / 1000,
    "node ms each": inMs(each(spent.nodeSeconds, result.answers)),
    "PostgreSQL ms each": inMs(each(spent.databaseSeconds, result.answers)),
  });
  printTable(
    `/register, ${PEOPLE + 1} people, ${CHANNELS} channels, ${OWN} one's own; ${HEAP_FLAGS.join(" ")}; fdatasync ${fsync}/s`,
    [row(`${AT_ONCE} at a time, beside the sends`, morning), row("one at a time", steady)],
  );
  printTable(`${SENDS_PER_SECOND} sends/s`, [
    { when: "alone", "p50 ms": alone.p50Ms, "p99 ms": alone.p99Ms, "max ms": alone.maxMs },
    { when: "beside the morning", "p50 ms": beside.p50Ms, "p99 ms": beside.p99Ms, "max ms": beside.maxMs },
  ]);
  console.log();
  printGoal("registrations/s in the morning", morning.result.perSecond, { least: 300 });
  printGoal("p99 of sends beside it, ms", beside.p99Ms, { most: 80 });
  printGoal("Node's ms for one", inMs(each(steady.spent.nodeSeconds, steady.result.answers)) ?? 0, {
    most: 4,
  });
  save("morning", { people: PEOPLE, channels: CHANNELS, own: OWN, fsync, alone, morning, beside, steady });

  /** Sends by the clock. An answer's time counts from when its turn came. */
  async function sendFor(seconds: number) {
    const lines = Array.from({ length: SENDERS }, () => new AwaitedConnection(port));
    const free = [...lines];
    const times: number[] = [];
    const underWay: Promise<void>[] = [];
    const startedAt = performance.now();
    for (let count = 0; count < seconds * SENDS_PER_SECOND; count++) {
      const dueAt = startedAt + (count * 1000) / SENDS_PER_SECOND;
      if (dueAt > performance.now()) await sleep(dueAt - performance.now());
      while (free.length === 0) await sleep(1);
      const line = free.pop() as AwaitedConnection;
      const send = line.ask(texts[count % texts.length] as string).then(({ status, body }) => {
        if (status !== 200) throw new Error(`a send failed: ${body}`);
        times.push(performance.now() - dueAt);
        free.push(line);
      });
      underWay.push(send);
    }
    await Promise.all(underWay);
    for (const line of lines) line.close();
    return spreadOf(times);
  }
});

function inMs(microseconds: number | undefined): number | undefined {
  return microseconds === undefined ? undefined : microseconds / 1000;
}
