/**
 * Sends one after another, and now and then a single other request: what does it do to the sends? Runs in a process of its
 * own.
 */
import { sleep, spreadOf } from "./figures.ts";
import { HttpConnection } from "./http-connection.ts";
import { Senders } from "./senders.ts";
import { answerTask } from "./task.ts";

export interface InterruptedTask {
  port: number;
  sends: string[];
  inFlight: number;
  warmupSeconds: number;
  /** How long sends are watched before each interruption, and after the last. */
  seconds: number;
  interruptions: string[];
}

/** Sends in a stretch of time. */
export interface Stretch {
  ms: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** The longest time in which no send was answered. */
  gapMs: number;
}

export interface InterruptedResult {
  quiet: Stretch[];
  /** From each interruption to its answer. */
  interrupted: Stretch[];
}

answerTask<InterruptedTask, InterruptedResult>(async (task) => {
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
  };
  const senders = new Senders(
    task.port,
    { requests: task.sends, pace: { by: "flights", inFlight: task.inFlight } },
    fail,
  );
  const interrupter = await connect(task.port, fail);
  senders.start();
  await sleep(task.warmupSeconds * 1000);
  senders.isCounting = true;
  const result: InterruptedResult = { quiet: [], interrupted: [] };
  const stretch = async (work: () => Promise<unknown>): Promise<Stretch> => {
    const from = performance.now();
    await work();
    return measure(senders, from, performance.now());
  };
  for (const interruption of task.interruptions) {
    result.quiet.push(await stretch(() => sleep(task.seconds * 1000)));
    result.interrupted.push(await stretch(() => interrupter.ask(interruption)));
  }
  result.quiet.push(await stretch(() => sleep(task.seconds * 1000)));
  await senders.stop();
  interrupter.close();
  if (failure) throw failure;
  return result;
});

function measure(senders: Senders, from: number, to: number): Stretch {
  const sent = senders.counted.filter(({ answeredAt }) => answeredAt >= from && answeredAt < to);
  const times = [from, ...sent.map(({ answeredAt }) => answeredAt), to];
  const gaps = times.slice(1).map((time, index) => time - (times[index] as number));
  const { p50Ms, p99Ms } = spreadOf(sent.map(({ sentAt, answeredAt }) => answeredAt - sentAt));
  const ms = to - from;
  return { ms, perSecond: (sent.length * 1000) / ms, p50Ms, p99Ms, gapMs: Math.max(...gaps) };
}

async function connect(port: number, fail: (error: unknown) => void) {
  let answered: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const connection = new HttpConnection(port, {
    onOpen: () => answered(),
    onAnswer(isOk, answer) {
      if (!isOk) fail(new Error(answer.toString("utf8", 0, 2000)));
      answered();
    },
    onError: fail,
  });
  await opened;
  return {
    close: () => connection.close(),
    ask(request: string): Promise<void> {
      return new Promise((resolve) => {
        answered = resolve;
        connection.send(Buffer.from(request));
      });
    },
  };
}
