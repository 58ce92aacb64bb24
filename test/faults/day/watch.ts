import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "../server-process.ts";

const EVERY_MS = 200;
const PATIENCE_MS = 5000;
/** A machine with two busy processors may be late for a moment with any answer. */
const BUSY_MS = 3000;

type Page = "/health" | "/ready";

/** Where the server listens now, and how often it was started. */
type Asked = Pick<ServerProcess, "url" | "starts">;

interface Sample {
  page: Page;
  at: number;
  /** The status; undefined when nobody answered. */
  status: number | undefined;
  reason: string | undefined;
  /** Whether the process that was asked was the same at the end, and there. */
  wasThere: boolean;
}

/** What the pages may say, and must say, while something is broken. */
export interface Expected {
  /** Reasons that `/ready` may give. */
  reasons: readonly string[];
  /** A reason that it must have given. */
  mustSay?: string | undefined;
  /** The process is stopped, or has no connections: it may not answer. */
  mayNotAnswer?: boolean;
  /** The process ends, or is asked to. */
  ends?: boolean;
}

/** Asks `/health` and `/ready` of a server all the time, as monitors do, and not through the gate. */
export class Watch {
  samples: Sample[] = [];
  readonly #node: Asked;
  readonly #running: Promise<unknown>;
  #isRunning = true;

  constructor(node: Asked) {
    this.#node = node;
    this.#running = Promise.all([this.#ask("/health"), this.#ask("/ready")]);
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#running;
  }

  /** Resolves with the time when `/ready` said for the first time since then that all is well. */
  async readySince(since: number, withinMs: number): Promise<number> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const good = this.samples.find(
        ({ page, at, status }) => page === "/ready" && at >= since && status === 200,
      );
      if (good) return good.at;
      if (Date.now() > deadline) {
        const last = JSON.stringify(this.samples.filter(({ page }) => page === "/ready").at(-1));
        throw new Error(`/ready is not 200 within ${withinMs} ms of the end of the fault: ${last}`);
      }
      await sleep(20);
    }
  }

  /** Compares what was answered since the last time with what was broken. Throws what does not fit. */
  judge(expected: Expected): void {
    const samples = this.samples;
    this.samples = [];
    for (const sample of samples) {
      const wrong = wrongOf(sample, expected);
      if (wrong !== undefined) throw new Error(`${sample.page} ${wrong}: ${JSON.stringify(sample)}`);
    }
    const { mustSay } = expected;
    if (
      mustSay !== undefined &&
      !samples.some(({ page, reason }) => page === "/ready" && reason === mustSay)
    ) {
      throw new Error(`/ready never said '${mustSay}'`);
    }
    const odd = samples.filter(({ reason }) => reason !== undefined && !isExpected(reason, expected));
    const first = odd[0]?.at ?? 0;
    const last = odd.at(-1)?.at ?? 0;
    if (odd.some(({ reason }) => reason !== "database") || last - first > BUSY_MS) {
      throw new Error(`/ready said what was not so: ${JSON.stringify(odd.slice(0, 3))}`);
    }
  }

  async #ask(page: Page): Promise<void> {
    while (this.#isRunning) {
      const { url, starts } = this.#node;
      const at = Date.now();
      if (url !== undefined) {
        const answer = await get(url + page);
        // The end of a process is noticed after its connections have broken.
        if (answer === undefined) await sleep(EVERY_MS);
        const wasThere = this.#node.starts === starts && this.#node.url === url;
        this.samples.push({ page, at, status: answer?.status, reason: reasonOf(answer?.text), wasThere });
      }
      await sleep(Math.max(0, at + EVERY_MS - Date.now()));
    }
  }
}

function wrongOf({ page, status, reason, wasThere }: Sample, expected: Expected): string | undefined {
  if (status === 200) return undefined;
  if (status === undefined) {
    return wasThere && expected.mayNotAnswer !== true && expected.ends !== true ? "got no answer" : undefined;
  }
  if (status !== 503) return `answered ${status}`;
  if (page === "/health" && reason !== "stopping") return "said that a process that lives does not";
  if (reason === undefined) return "gave no reason";
  return undefined;
}

const isExpected = (reason: string, { reasons, ends }: Expected) =>
  reasons.includes(reason) || (ends === true && ["stopping", "database"].includes(reason));

/** What it answered in place of "ok". */
function reasonOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    const { status, reason } = JSON.parse(text) as { status: string; reason?: string };
    if (status === "ok") return undefined;
    return reason ?? status;
  } catch {
    return `no JSON: ${text.slice(0, 200)}`;
  }
}

function get(url: string): Promise<{ status: number; text: string } | undefined> {
  return new Promise((resolve) => {
    const req = request(url, { agent: false, timeout: PATIENCE_MS });
    const fail = () => {
      req.destroy();
      resolve(undefined);
    };
    req.on("timeout", fail);
    req.on("error", fail);
    req.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("close", () =>
        resolve(response.complete ? { status: response.statusCode ?? 0, text } : undefined),
      );
    });
    req.end();
  });
}
