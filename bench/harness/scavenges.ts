import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";

/** V8's collections of young objects. Each stops the process. */
export interface Scavenges {
  count: number;
  totalMs: number;
  /** The longest since the last question. */
  longestMs: number;
}

/** The types of Node.js leave the field out. */
type PerformanceGcEntry = PerformanceEntry & { readonly detail?: { readonly kind?: number } };

/** Measures the scavenges of this process from now on. */
export class ScavengeMeter {
  #seen: Scavenges = { count: 0, totalMs: 0, longestMs: 0 };

  constructor() {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntriesByType("gc") as PerformanceGcEntry[]) {
        if (entry.detail?.kind !== constants.NODE_PERFORMANCE_GC_MINOR) continue;
        this.#seen.count++;
        this.#seen.totalMs += entry.duration;
        this.#seen.longestMs = Math.max(this.#seen.longestMs, entry.duration);
      }
    });
    observer.observe({ entryTypes: ["gc"] });
  }

  read(): Scavenges {
    const seen = { ...this.#seen };
    this.#seen.longestMs = 0;
    return seen;
  }
}
