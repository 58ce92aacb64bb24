import type { Database } from "../db/database.ts";
import { countJobsByState } from "./store.ts";

export interface JobCounts {
  /** Could run now, and do not yet. */
  due: number;
  /** Have failed for good. */
  failed: number;
}

/** The jobs of all nodes. */
export function countJobs(database: Database): Promise<JobCounts> {
  return database.snapshot(countJobsByState);
}
