/**
 * A hundred networks guess passwords at full speed, for one person and for names that nobody has. Meanwhile
 * this person signs in with the right password, from a network where they have signed in before, again and
 * again. Beside it, somebody who is new to their network. People who are told to come back do so.
 */
import { median, sleep, spreadOf } from "./harness/figures.ts";
import type { Person } from "./harness/fixture.ts";
import { size } from "./harness/options.ts";
import { postForm } from "./harness/post-form.ts";
import { HEAP_FLAGS, startGuesses, startParley } from "./harness/processes.ts";
import { checkRest, measureFsync, printGoal, printTable, save } from "./harness/report.ts";
import { scenario } from "./harness/scenario.ts";

const NETWORKS = size(100, 5);
const SECONDS = size(30, 2);
const PAUSE_MS = 250;
/** Longer than anybody waits. */
const GIVE_UP_MS = size(20_000, 10_000);
const PASSWORD = "correct horse battery";

await scenario(async () => {
  checkRest();
  const fsync = measureFsync();
  const { port, people } = await startParley({ people: 2, keys: 2, subscribers: 2, password: PASSWORD });
  const [victim, newcomer] = people as [Person, Person];
  const known = "127.1.0.1";
  await signIn(port, victim.email, known);
  const alone: number[] = [];
  for (let turn = 0; turn < 10; turn++) alone.push((await signIn(port, victim.email, known)).ms);

  const guesses = await startGuesses({ port, networks: NETWORKS, email: victim.email });
  await sleep(1000);
  const endsAt = performance.now() + SECONDS * 1000;
  const repeat = async (email: string, addressOf: (turn: number) => string): Promise<SignIn[]> => {
    const done: SignIn[] = [];
    for (let turn = 0; performance.now() < endsAt; turn++) {
      done.push(await signIn(port, email, addressOf(turn)));
      await sleep(PAUSE_MS);
    }
    return done;
  };
  const [fromKnown, fromNew] = await Promise.all([
    repeat(victim.email, () => known),
    repeat(newcomer.email, (turn) => `127.3.${turn % 250}.1`),
  ]);
  const { statuses } = await guesses.end();

  const row = (what: string, done: readonly SignIn[]) => ({
    what,
    "sign-ins": done.length,
    ...spreadOf(done.map(({ ms }) => ms)),
    refused: done.reduce((sum, { refused }) => sum + refused, 0),
    "gave up": done.filter(({ isIn }) => !isIn).length,
  });
  const rows = [row("from a known network", fromKnown), row("from new networks", fromNew)];
  printTable(`sign-ins beside ${NETWORKS} guessing networks; ${HEAP_FLAGS.join(" ")}`, rows);
  const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  console.log(`\nalone ${median(alone).toFixed(0)} ms; ${Math.round(answered / (SECONDS + 1))} guesses/s`);
  console.log(`answers to guesses: ${JSON.stringify(statuses)}`);
  const { maxMs } = spreadOf(fromKnown.map(({ ms }) => ms));
  printGoal("a right password from a known network, the slowest, ms", maxMs, { most: 1000 });
  save("guessing", {
    fsync,
    networks: NETWORKS,
    guessesPerSecond: answered / (SECONDS + 1),
    aloneMs: median(alone),
    known: rows[0],
    new: rows[1],
  });
});

interface SignIn {
  /** From the first try on. */
  ms: number;
  refused: number;
  isIn: boolean;
}

async function signIn(port: number, email: string, localAddress: string): Promise<SignIn> {
  const begunAt = performance.now();
  const took = () => performance.now() - begunAt;
  const fields = { username: email, password: PASSWORD };
  for (let refused = 0; ; refused++) {
    const { status, retryAfter } = await postForm({
      port,
      path: "/api/v1/fetch_api_key",
      localAddress,
      fields,
    });
    if (status === 200) return { ms: took(), refused, isIn: true };
    if (status !== 429 && status !== 503) throw new Error(`a sign-in was answered with ${status}`);
    if (took() + retryAfter * 1000 > GIVE_UP_MS) return { ms: took(), refused, isIn: false };
    await sleep(retryAfter * 1000);
  }
}
