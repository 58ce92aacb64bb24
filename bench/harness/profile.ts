import { type Profiler, Session } from "node:inspector/promises";

export type Cost = {
  function: string;
  "% of the time": number;
};

const INTERVAL_MICROSECONDS = 250;
const SHOWN = 40;

/** Which functions of this process take the time, by samples. */
export class Profile {
  readonly #session = new Session();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post("Profiler.enable");
    await this.#session.post("Profiler.setSamplingInterval", { interval: INTERVAL_MICROSECONDS });
    await this.#session.post("Profiler.start");
  }

  /** The dearest first; what a function calls counts for what it calls. */
  async stop(): Promise<Cost[]> {
    const { profile } = await this.#session.post("Profiler.stop");
    this.#session.disconnect();
    return costsOf(profile).slice(0, SHOWN);
  }
}

function costsOf({ nodes }: Profiler.Profile): Cost[] {
  const samples = new Map<string, number>();
  let all = 0;
  for (const { callFrame, hitCount = 0 } of nodes) {
    const name = nameOf(callFrame.functionName, callFrame.url, callFrame.lineNumber);
    samples.set(name, (samples.get(name) ?? 0) + hitCount);
    all += hitCount;
  }
  return [...samples]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => ({ function: name, "% of the time": (100 * count) / all }));
}

function nameOf(name: string, url: string, line: number): string {
  const file = url.replace(/^.*\/(dist|node_modules)\//, "");
  return `${name || "(anonymous)"}${file && ` ${file}:${line + 1}`}`;
}
