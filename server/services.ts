import type { Logger } from "pino";
import type { Config } from "./config.ts";
import type { Organizations } from "./organization/organizations.ts";
import type { Bus } from "./platform/bus/bus.ts";
import type { Keyring } from "./platform/crypto/keyring.ts";
import type { Database } from "./platform/db/database.ts";
import type { FileStorage } from "./platform/file-storage/file-storage.ts";
import type { Health } from "./platform/health/health.ts";
import type { Mailer } from "./platform/mail/mailer.ts";
import type { OutboundHttp } from "./platform/outbound-http/outbound-http.ts";
import type { Queues } from "./platform/queues/queues.ts";

/**
 * What the composition root creates once and passes to the modules' routes, the jobs and the commands. A
 * function names those that it uses, as in `Pick<Services, "database">`.
 */
export interface Services {
  config: Config;
  database: Database;
  bus: Bus;
  organizations: Organizations;
  queues: Queues;
  keyring: Keyring;
  files: FileStorage;
  outbound: OutboundHttp;
  mailer: Mailer;
  health: Health;
  log: Logger;
}
