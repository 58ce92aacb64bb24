/**
 * A limit for synchronous work whose time cannot be told from its input, such as a grammar's patterns on any
 * code. node stops such work from another thread, also in the middle of a pattern.
 */
import { createContext, Script } from "node:vm";

const sandbox = createContext({ work: undefined });
const call = new Script("work()");

/** Other work on the machine may take the time of this work, which then gets another try. */
const TRIES = 3;
const OWN_SHARE = 0.7;

/**
 * The result of the work, or undefined if it takes more than this much time of a processor. The work is
 * stopped at any point, so it must leave nothing half done that outlives it.
 */
export function withTimeLimit<T>(limitMs: number, work: () => T): T | undefined {
  for (let tries = 1; ; tries++) {
    const began = process.cpuUsage();
    try {
      sandbox.work = work;
      return call.runInContext(sandbox, { timeout: Math.ceil(limitMs) }) as T;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      const { user, system } = process.cpuUsage(began);
      if (tries === TRIES || (user + system) / 1000 > OWN_SHARE * limitMs) return undefined;
    } finally {
      sandbox.work = undefined;
    }
  }
}

function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
