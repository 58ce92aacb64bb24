import { faults } from "../faults/catalogue.ts";
import { failureFacts } from "../std/failure-facts.ts";
import { down, type Finding, faultOf, type Part, type PartName } from "./finding.ts";

const FIRST_LOOK_MS = 2000;
const CONFIRM_MS = 1000;

/** A line of the log has facts and a sentence. */
type Write = (facts: object, sentence: string) => void;
type Log = Readonly<Record<"info" | "warn" | "error", Write>>;

/**
 * Looks at the parts of a server, each at its own pace, and remembers what was found last. The log gets a
 * line when that changes, never one for each look. The same findings are read by `/ready`, the metrics and
 * `parley doctor`.
 */
export class Health {
  readonly #parts: readonly Part[];
  readonly #log: Log;
  readonly #findings = new Map<PartName, Finding>();
  readonly #looks = new Map<PartName, Promise<Finding>>();
  #timers: NodeJS.Timeout[] = [];
  #isStopped = false;

  constructor(parts: readonly Part[], log: Log) {
    this.#parts = parts;
    this.#log = log;
  }

  /** What was found last, by part. A part that has not been looked at yet is not there. */
  get findings(): ReadonlyMap<PartName, Finding> {
    return this.#findings;
  }

  start(): void {
    this.#timers = this.#parts.map((part) => {
      const watch = () => void this.#watch(part);
      // A start keeps the process busy, and what it asks then is late by its own fault.
      setTimeout(watch, FIRST_LOOK_MS).unref();
      return setInterval(watch, part.everySeconds * 1000).unref();
    });
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Looks at the part now, and does not remember it. undefined: this server has no such part. */
  async check(name: PartName): Promise<Finding | undefined> {
    const part = this.#parts.find((each) => each.name === name);
    return part && this.#look(part);
  }

  /** A fault counts when it is there twice: what is busy for a moment is no news. */
  async #watch(part: Part): Promise<void> {
    const finding = await this.#look(part);
    if (finding.level !== "ok" && this.#findings.get(part.name)?.code !== finding.code) {
      await new Promise((resolve) => setTimeout(resolve, CONFIRM_MS).unref());
      if ((await this.#look(part)).code !== finding.code) return;
    }
    if (!this.#isStopped) this.#note(part.name, finding);
  }

  /** One look at a part at a time: a part that hangs is not asked again. */
  #look(part: Part): Promise<Finding> {
    const known = this.#looks.get(part.name);
    if (known) return known;
    const look = this.#find(part).finally(() => this.#looks.delete(part.name));
    this.#looks.set(part.name, look);
    return look;
  }

  async #find(part: Part): Promise<Finding> {
    try {
      return await part.check();
    } catch (error) {
      return down("unknown", `It can't be asked: ${failureFacts(error).message}`);
    }
  }

  #note(part: PartName, finding: Finding): void {
    const before = this.#findings.get(part);
    this.#findings.set(part, finding);
    if ((before?.code ?? "ok") === finding.code) return;
    const fault = faultOf(finding);
    const facts = {
      part,
      state: finding.level,
      code: finding.code,
      ...(fault && { fault: faults[fault].number }),
    };
    if (finding.level === "down") this.#log.error(facts, finding.sentence);
    else if (finding.level === "warning") this.#log.warn(facts, finding.sentence);
    else this.#log.info(facts, `Well again: ${finding.sentence}`);
  }
}
