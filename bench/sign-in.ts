/**
 * Two hundred people sign in at once, while others send. Those who are told to come back do so. Beside it,
 * the sends alone. Nobody's send may fail, and everybody gets in.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { AwaitedConnection } from "./harness/awaited-connection.ts";
import { spreadOf } from "./harness/figures.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, startParley, startSignIns } from "./harness/processes.ts";
import { checkRest, measureFsync, printGoal, printTable, save } from "./harness/report.ts";
import { post } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";

const SIGN_INS = size(200, 10);
const SENDERS = 20;
const SECONDS_ALONE = size(10, 1);
/** A server compiles its code in the first messages, which are not counted. */
const WARM_UP_SECONDS = size(5, 0);
/** Far more than people write: a hundred messages a second. */
const PAUSE_MS = 200;
const PASSWORD = "correct horse battery";

await scenario(async () => {
  checkRest();
  const fsync = measureFsync();
  const { port, channelId, people } = await startParley({
    people: SENDERS + SIGN_INS,
    keys: SENDERS + SIGN_INS,
    subscribers: SENDERS,
    password: PASSWORD,
  });
  const senders = people.slice(0, SENDERS);
  await send(WARM_UP_SECONDS * 1000);
  const alone = await send(SECONDS_ALONE * 1000);
  const signIns = await startSignIns();
  let isOver = false;
  const sending = send(undefined);
  const { seconds, refused } = await signIns
    .ask({ port, people: people.slice(SENDERS), password: PASSWORD })
    .finally(() => {
      isOver = true;
    });
  const beside = await sending;

  const row = (what: string, { ms }: Sends) => ({ what, sends: ms.length, ...spreadOf(ms) });
  printTable(
    `sends by ${SENDERS} people, ${PAUSE_MS} ms between two; ${HEAP_FLAGS.join(" ")}; fdatasync ${fsync}/s`,
    [row("alone", alone), row(`beside ${SIGN_INS} sign-ins`, beside)],
  );
  const { p99Ms } = spreadOf(beside.ms);
  console.log(
    `\nall signed in after ${seconds.toFixed(1)} s, with ${refused} tries that were refused for now`,
  );
  printGoal("sends that failed", beside.failed, { most: 0 });
  printGoal("p99 of a send beside the sign-ins, ms", p99Ms, { most: 50 });
  save("sign-in", {
    fsync,
    signIns: SIGN_INS,
    seconds,
    retries: refused,
    alone: spreadOf(alone.ms),
    beside: spreadOf(beside.ms),
  });

  /** For a time, or until the sign-ins are over. */
  async function send(time: number | undefined): Promise<Sends> {
    const sends: Sends = { ms: [], failed: 0 };
    const endsAt = performance.now() + (time ?? 0);
    const goesOn = () => (time === undefined ? !isOver : performance.now() < endsAt);
    await Promise.all(
      senders.map(async (person, index) => {
        const line = new AwaitedConnection(port);
        // People don't write in step.
        await sleep((index * PAUSE_MS) / SENDERS);
        for (let turn = 0; goesOn(); turn++) {
          const begunAt = performance.now();
          const content = `number ${turn}`;
          const message = { type: "channel", to: String(channelId), topic: "sign-in", content };
          const { status } = await line.ask(post(person, "/messages", message));
          sends.ms.push(performance.now() - begunAt);
          if (status !== 200) sends.failed++;
          await sleep(PAUSE_MS);
        }
        line.close();
      }),
    );
    return sends;
  }
});

interface Sends {
  ms: number[];
  failed: number;
}
