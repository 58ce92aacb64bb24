/** What the operator's page shows, as facts. No text of a person and no address is among them. */
import { readSearchLag } from "../../messages/search/lag.ts";
import { type BackupRecord, readBackupRecord } from "../../platform/backup/backup-record.ts";
import { isCopy } from "../../platform/backup/copy-mark.ts";
import { nextDue } from "../../platform/backup/times.ts";
import type { Finding, PartName } from "../../platform/health/finding.ts";
import { countJobs, type JobCounts } from "../../platform/jobs/count-jobs.ts";
import { findLateJobs } from "../../platform/jobs/store.ts";
import { type MailQueue, readQueue } from "../../platform/mail/queue.ts";
import { countQueue, findLastSent, type QueueCounts } from "../../platform/mail/queue-store.ts";
import { RecentValue } from "../../platform/metrics/recent-value.ts";
import type { Services } from "../../services.ts";
import { ownVersion } from "../../version.ts";
import {
  countConnections,
  findSizes,
  listHeads,
  listHosts,
  listLargest,
  type OrganizationFacts,
  type Sizes,
} from "./store.ts";

/** How many organizations are listed. */
const MAX_LISTED = 100;
const WAIT_MS = 3000;
/** What goes through tables is asked for once a minute at most. */
const SUMS = { freshMs: 60_000, staleMs: 120_000, waitMs: WAIT_MS };
/** Asked for each time, so that a page that follows a button shows what the button did. */
const MOMENTS = { freshMs: 0, staleMs: 1000, waitMs: WAIT_MS };

export interface Sums extends Sizes {
  largest: readonly OrganizationFacts[];
}

export interface Moments {
  jobs: JobCounts;
  /** How long the oldest job that is due has waited. */
  jobsWaitedSeconds: number;
  /** Messages that are not in the search index yet. */
  searchBacklog: number;
  /** How far the memory of this process is behind the organization's log that is furthest ahead. */
  logBehind: number;
  databaseConnections: number;
  mails: QueueCounts & MailQueue & { lastSentAt: Date | null; hosts: ReadonlyMap<number, string> };
}

export interface BackupFacts {
  record: BackupRecord | undefined;
  nextAt: Date | undefined;
}

export interface OperatorStatus {
  at: Date;
  version: string;
  node: string;
  uptimeSeconds: number;
  isCopy: boolean;
  /** Event queues in this process: about as many as clients that are connected to it. */
  eventQueues: number;
  health: readonly (Finding & { part: PartName })[];
  /** undefined: this server makes none. */
  backup: BackupFacts | undefined;
  /** undefined: the database does not answer. */
  moments: Moments | undefined;
  /** Likewise. */
  sums: Sums | undefined;
}

type Sources = Pick<Services, "config" | "database" | "health" | "organizations" | "queues">;

/** Reads the status. While the database is away it answers after some seconds, without what is in there. */
export class StatusReader {
  readonly #services: Sources;
  readonly #sums: RecentValue<Sums>;
  readonly #moments: RecentValue<Moments>;

  constructor(services: Sources) {
    this.#services = services;
    const { database } = services;
    this.#sums = new RecentValue(
      () =>
        database.snapshot(async (tx) => ({
          ...(await findSizes(tx)),
          largest: await listLargest(tx, MAX_LISTED),
        })),
      SUMS,
    );
    this.#moments = new RecentValue(() => readMoments(services), MOMENTS);
  }

  async read(now = new Date()): Promise<OperatorStatus> {
    const { config, health, queues } = this.#services;
    const [moments, sums, backup] = await Promise.all([
      this.#moments.read(),
      this.#sums.read(),
      readBackup(config, now),
    ]);
    return {
      at: now,
      version: ownVersion,
      node: process.version,
      uptimeSeconds: Math.round(process.uptime()),
      isCopy: isCopy(config.dataDir),
      eventQueues: queues.count,
      health: [...health.findings].map(([part, finding]) => ({ part, ...finding })),
      backup,
      moments,
      sums: moments && sums,
    };
  }
}

async function readMoments({ database, organizations }: Sources): Promise<Moments> {
  const loaded = [...organizations.loaded.values()];
  const [jobs, late, lag, heads, databaseConnections, counts, queue, lastSentAt] = await Promise.all([
    countJobs(database),
    database.snapshot(findLateJobs),
    database.snapshot(readSearchLag),
    database.snapshot((tx) =>
      listHeads(
        tx,
        loaded.map(({ organizationId }) => organizationId),
      ),
    ),
    database.snapshot(countConnections),
    database.snapshot(countQueue),
    readQueue(database),
    database.snapshot(findLastSent),
  ]);
  const byId = new Map(heads.map(({ id, head }) => [id, head]));
  const behind = loaded.map(({ organizationId, position }) => (byId.get(organizationId) ?? 0) - position);
  const ids = [...new Set(queue.mails.map(({ organizationId }) => organizationId))];
  const hosts = await database.snapshot((tx) => listHosts(tx, ids));
  return {
    jobs,
    jobsWaitedSeconds: late.waitedSeconds,
    searchBacklog: lag.total,
    logBehind: Math.max(0, ...behind),
    databaseConnections,
    mails: { ...counts, ...queue, lastSentAt, hosts: new Map(hosts.map(({ id, host }) => [id, host])) },
  };
}

async function readBackup(config: Services["config"], now: Date): Promise<BackupFacts | undefined> {
  const { backup, backupAt, databaseUrl, dataDir } = config;
  if (backup === undefined || databaseUrl !== undefined || isCopy(dataDir)) return undefined;
  return {
    record: await readBackupRecord(dataDir).catch(() => undefined),
    nextAt: nextDue(backupAt, now),
  };
}
