/**
 * Measures how a single other request, now and then, delays sends that follow one another. Runs in its
 * own process.
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
  /** How long sends are watched before each interruption. */
  seconds: number;
  interruptions: string[];
}

/** The effect of a single request on the sends. */
export interface Interruption extends Stretch {
  /** `gapMs` without the request: the mean of equally long times just before. */
  usualGapMs: number;
}

/** Sends in a stretch of time. */
export interface Stretch {
  ms: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** The longest time without a response to a send. */
  gapMs: number;
}

export interface InterruptedResult {
  quiet: Stretch[];
  /** From each interruption to its response. */
  interrupted: Interruption[];
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
  const during = async (work: () => Promise<unknown>): Promise<Period> => {
    const from = performance.now();
    await work();
    return { from, to: performance.now() };
  };
  for (const interruption of task.interruptions) {
    const before = await during(() => sleep(task.seconds * 1000));
    const call = await during(() => interrupter.ask(interruption));
    result.quiet.push(measure(senders, before));
    result.interrupted.push({
      ...measure(senders, call),
      usualGapMs: mean(parts(before, call.to - call.from).map((part) => measure(senders, part).gapMs)),
    });
  }
  await senders.stop();
  interrupter.close();
  if (failure) throw failure;
  return result;
});

interface Period {
  from: number;
  to: number;
}

/** As many parts of this length as fit in, at least one. */
function parts({ from, to }: Period, ms: number): Period[] {
  const count = Math.max(1, Math.floor((to - from) / ms));
  return Array.from({ length: count }, (_, index) => ({
    from: from + index * ms,
    to: Math.min(to, from + (index + 1) * ms),
  }));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function measure(senders: Senders, { from, to }: Period): Stretch {
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
