import type { TObject } from "typebox";
import type { ModuleExports } from "./module-exports.ts";
import type { RegisterSection } from "./people/viewer/register-section.ts";
import type { Keyring } from "./platform/crypto/keyring.ts";
import type { FileRoute } from "./platform/http/file-routes.ts";
import type { Route } from "./platform/http/handler.ts";
import type { PageRoute } from "./platform/http/page-routes.ts";
import type { Job } from "./platform/jobs/job.ts";
import type { BeforeCommitHook, LastHook } from "./platform/log/before-commit-hook.ts";
import type { EntryListener, LogSource } from "./platform/log/log-parts.ts";
import type { OrganizationState } from "./platform/log/organization-state.ts";
import type { Projection } from "./platform/log/projection.ts";
import type { QueueParts } from "./platform/queues/queue-parts.ts";
import type { Services } from "./services.ts";

/**
 * What a module contributes to the server. Each module has one list of its parts, in its `parts.ts`, and
 * `server/modules.ts` joins them, the lowest module first.
 */
export interface ModuleParts {
  /** What the nodes keep in memory. */
  // biome-ignore lint/suspicious/noExplicitAny: the list mixes projections of every type.
  projections?(made: Pick<Services, "keyring">): readonly Projection<any>[];
  /** Tables whose rows are entries of the log. */
  sources?: readonly LogSource[];
  beforeCommitHooks?(made: Pick<Services, "keyring">): readonly BeforeCommitHook[];
  /** Run after all others, since they look at what those appended. */
  lastHooks?: readonly LastHook[];
  /** What the module notes of each entry of the log as it is applied. */
  listeners?: readonly EntryListener[];
  /** Who gets which events, in which form. */
  queues?(made: QueueContext): Partial<QueueParts>;
  /** Sections of the reply of `/register`. */
  registerSections?(made: Pick<Services, "config" | "keyring">): readonly RegisterSection[];
  /** Calls of the contract. */
  routes?(services: Services): readonly Route[];
  /** Calls whose reply is a file. */
  fileRoutes?(services: Services): readonly FileRoute[];
  /** Addresses that are called like the API, and are no part of the contract. */
  redirects?: readonly Route[];
  /** What exports of an organization have of the module's tables, and what they leave out. */
  exports: ModuleExports;
  jobs?: readonly Job<TObject, Services>[];
  /** Jobs that send mail. A process without mail settings leaves them to others, or to its next start. */
  mailJobs?: readonly Job<TObject, Services>[];
  /** What people hear of: calls of webhooks, and messages that fall due. A copy leaves it to the original. */
  outwardJobs?: readonly Job<TObject, Services>[];
  /** The server's own pages, and the files that they load. */
  pages?(services: Services): readonly PageRoute[];
  /** What works beside requests for as long as the server runs. */
  followers?(services: Services, report: (error: unknown) => void): readonly Follower[];
}

export interface QueueContext {
  keyring: Keyring;
  /** The address under which people reach an organization. */
  siteOf(state: OrganizationState): string;
}

export interface Follower {
  start(): void;
  stop(): Promise<void>;
}
