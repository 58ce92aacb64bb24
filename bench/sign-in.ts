/**
 * Two hundred people sign in at once, while others send. Who is told to come back does so. Beside it, the
 * sends alone. Nobody's send may fail, and everybody gets in.
 */
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { AwaitedConnection } from "./harness/awaited-connection.ts";
import { spreadOf } from "./harness/figures.ts";
import type { Person } from "./harness/fixture.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, startParley } from "./harness/processes.ts";
import { checkRest, measureFsync, printGoal, printTable, save } from "./harness/report.ts";
import { post } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";

const SIGN_INS = size(200, 10);
const SENDERS = 20;
const SECONDS_ALONE = size(10, 1);
const PAUSE_MS = 20;
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
  const alone = await send(SECONDS_ALONE * 1000);
  let isOver = false;
  const sending = send(undefined);
  const startedAt = performance.now();
  const refused = await Promise.all(
    people.slice(SENDERS).map((person, index) => signIn(port, person, index)),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  isOver = true;
  const beside = await sending;

  const row = (what: string, { ms }: Sends) => ({ what, sends: ms.length, ...spreadOf(ms) });
  printTable(
    `sends by ${SENDERS} people, ${PAUSE_MS} ms between two; ${HEAP_FLAGS.join(" ")}; fdatasync ${fsync}/s`,
    [row("alone", alone), row(`beside ${SIGN_INS} sign-ins`, beside)],
  );
  const retries = refused.reduce((sum, count) => sum + count, 0);
  const { p99Ms } = spreadOf(beside.ms);
  console.log(
    `\nall signed in after ${seconds.toFixed(1)} s, with ${retries} tries that were refused for now`,
  );
  printGoal("sends that failed", beside.failed, { most: 0 });
  printGoal("p99 of a send beside the sign-ins, ms", p99Ms, { most: 250 });
  save("sign-in", {
    fsync,
    signIns: SIGN_INS,
    seconds,
    retries,
    alone: spreadOf(alone.ms),
    beside: spreadOf(beside.ms),
  });

  /** For a time, or until the sign-ins are over. */
  async function send(time: number | undefined): Promise<Sends> {
    const sends: Sends = { ms: [], failed: 0 };
    const endsAt = performance.now() + (time ?? 0);
    const goesOn = () => (time === undefined ? !isOver : performance.now() < endsAt);
    await Promise.all(
      senders.map(async (person) => {
        const line = new AwaitedConnection(port);
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

/** Each from a network of its own. Returns how often the server was too busy. */
async function signIn(port: number, person: Person, index: number): Promise<number> {
  for (let refused = 0; ; refused++) {
    const { status, retryAfter } = await ask(port, person, `127.1.${index}.1`);
    if (status === 200) return refused;
    if (status !== 429) throw new Error(`a sign-in was answered with ${status}`);
    await sleep(1000 * (retryAfter + Math.random()));
  }
}

function ask(
  port: number,
  { email }: Person,
  localAddress: string,
): Promise<{ status: number; retryAfter: number }> {
  const body = new URLSearchParams({ username: email, password: PASSWORD }).toString();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port,
        localAddress,
        method: "POST",
        path: "/api/v1/session",
        headers: {
          host: "localhost",
          "content-type": "application/x-www-form-urlencoded",
          "content-length": Buffer.byteLength(body),
          "sec-fetch-site": "same-origin",
          "x-parley-client": "ParleyBench",
        },
      },
      (response) => {
        response.resume();
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            retryAfter: Number(response.headers["retry-after"] ?? 1),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
