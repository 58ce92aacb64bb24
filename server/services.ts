import type { Logger } from "pino";
import type { Bus } from "./bus/bus.ts";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import type { Queues } from "./events/queues.ts";
import type { SnapshotSlice } from "./events/register.ts";
import type { Job } from "./jobs/job.ts";
import type { Organizations } from "./organization/organizations.ts";
import type { Keyring } from "./users/keyring.ts";

/** What the composition root makes once and hands to the rooms' routes and to the commands. */
export interface Services {
  config: Config;
  database: Database;
  bus: Bus;
  organizations: Organizations;
  queues: Queues;
  keyring: Keyring;
  snapshotSlices: readonly SnapshotSlice[];
  jobs: readonly Job[];
  log: Logger;
}
