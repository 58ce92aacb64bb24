/**
 * What one process that serves clients measures. The parts of the server keep plain numbers; here they get
 * their names. `docs/running.md` explains them to operators. No label has a name that people chose, and
 * labels have few values: operations are those that the API declares, and numbers of organizations are added
 * up or their maximum is taken.
 */
import type { Core } from "../app.ts";
import { readSearchLag } from "../messages/search/lag.ts";
import { batchSizesOf } from "../messages/send/batch.ts";
import { type BackupRecord, readBackupRecord } from "../platform/backup/backup-record.ts";
import type { LaneUse } from "../platform/db/lane.ts";
import { filesDirectory } from "../platform/file-storage/open-storage.ts";
import { type DiskSpace, readDiskSpace } from "../platform/health/disk-part.ts";
import type { Level } from "../platform/health/finding.ts";
import type { CallStats, HttpStats } from "../platform/http/http-stats.ts";
import { countJobs, type JobCounts } from "../platform/jobs/count-jobs.ts";
import { groupSizesOf } from "../platform/log/log-writer.ts";
import { countQueue, type QueueCounts } from "../platform/mail/queue-store.ts";
import { ProcessMetrics } from "../platform/metrics/process-metrics.ts";
import { counter, gauge, histogram, type Labels, type Reading } from "../platform/metrics/reading.ts";
import { RecentValue } from "../platform/metrics/recent-value.ts";
import { ownVersion } from "../version.ts";

const LEVELS: Readonly<Record<Level, number>> = { ok: 0, warning: 1, down: 2 };

export type NodeMetricsSource = Pick<Core, "services" | "follower">;

export class NodeMetrics {
  readonly #core: NodeMetricsSource;
  readonly #http: HttpStats;
  readonly #process = new ProcessMetrics();
  readonly #searchLag: RecentValue<number>;
  readonly #jobs: RecentValue<JobCounts>;
  readonly #mails: RecentValue<QueueCounts>;

  constructor(core: NodeMetricsSource, http: HttpStats) {
    this.#core = core;
    this.#http = http;
    this.#searchLag = new RecentValue(async () => (await readSearchLag(core.services.database)).total);
    this.#jobs = new RecentValue(() => countJobs(core.services.database));
    this.#mails = new RecentValue(() => core.services.database.snapshot(countQueue));
  }

  /** Never waits long for the database. What it could not be asked for is left out. */
  async read(): Promise<Reading[]> {
    const [http, ofProcess, fromDatabase, disks, backups] = await Promise.all([
      this.#readHttp(),
      this.#process.read(),
      this.#askDatabase(),
      this.#readDisks(),
      this.#readBackups(),
    ]);
    return [
      buildInfo(),
      ...http,
      ...this.#readQueuesAndLog(),
      ...this.#readSends(),
      ...this.#readLanes(),
      ...this.#readHealth(),
      ...disks,
      ...backups,
      ...fromDatabase,
      ...ofProcess,
    ];
  }

  async #readHttp(): Promise<Reading[]> {
    const { calls, unknown, rateLimited, unavailable } = this.#http;
    const { heldPolls, connections, arrivingBytes } = await this.#http.gauges();
    const called = [...calls].filter(([, { byClass }]) => byClass.some((count) => count > 0));
    return [
      counter(
        "parley_http_calls_total",
        "Calls of the API by operation and class of status; 'none' are requests that reach no operation.",
        [...called, ["none", unknown] as const].flatMap(countsByClass),
      ),
      histogram(
        "parley_http_call_duration_seconds",
        "How long handlers ran. A call that holds its response counts until it begins to wait.",
        called.map(([operation, { seconds }]) => [{ operation }, seconds]),
      ),
      counter("parley_http_rate_limited_total", "Responses with status 429.", rateLimited),
      counter("parley_http_unavailable_total", "Responses with status 503.", unavailable),
      gauge("parley_http_held_polls", "Polls that wait for an event.", heldPolls),
      gauge("parley_http_connections", "Open connections of clients.", connections),
      gauge("parley_http_arriving_body_bytes", "Memory of bodies that are arriving.", arrivingBytes),
    ];
  }

  #readQueuesAndLog(): Reading[] {
    const { queues, organizations } = this.#core.services;
    let position = 0;
    for (const state of organizations.loaded.values()) position = Math.max(position, state.position);
    return [
      gauge("parley_event_queues", "Event queues in memory.", queues.count),
      counter("parley_events_delivered_total", "Events put into event queues.", queues.delivered),
      gauge("parley_organizations_loaded", "Organizations in memory.", organizations.loaded.size, "max"),
      gauge(
        "parley_log_position",
        "The highest position of an organization's log in memory.",
        position,
        "max",
      ),
      gauge(
        "parley_log_behind_positions",
        "Positions that memory was behind an organization's log at the last check, at most.",
        this.#core.follower.behind,
        "max",
      ),
    ];
  }

  #readSends(): Reading[] {
    const { database } = this.#core.services;
    const sizes = batchSizesOf(database);
    const groups = groupSizesOf(database);
    return [
      counter("parley_messages_sent_total", "Messages that people and bots sent.", sizes.sum),
      histogram("parley_send_batch_messages", "Messages that shared one commit.", [[{}, sizes]]),
      histogram("parley_change_group_changes", "Small changes that shared one commit.", [[{}, groups]]),
    ];
  }

  #readLanes(): Reading[] {
    const lanes = Object.entries(this.#core.services.database.laneUse);
    const each = (read: (use: LaneUse) => number) =>
      lanes.map(([lane, use]) => [{ lane }, read(use)] as const);
    return [
      gauge(
        "parley_database_lane_connections",
        "Connections to the database that a lane may use.",
        each(({ connections }) => connections),
      ),
      gauge(
        "parley_database_lane_taken",
        "Connections to the database in use.",
        each(({ taken }) => taken),
      ),
      gauge(
        "parley_database_lane_waiting",
        "Transactions that wait for a connection.",
        each(({ waiting }) => waiting),
      ),
      counter(
        "parley_database_lane_waits_total",
        "Transactions that had to wait for a connection.",
        each(({ waits }) => waits),
      ),
      counter(
        "parley_database_lane_waited_seconds_total",
        "How long transactions waited for a connection.",
        each(({ waitedMs }) => waitedMs / 1000),
      ),
    ];
  }

  #readHealth(): Reading[] {
    const { findings } = this.#core.services.health;
    const values = [...findings].map(([part, { level }]) => [{ part }, LEVELS[level]] as const);
    return [gauge("parley_health", "How a part is: 0 well, 1 a warning, 2 out of order.", values, "max")];
  }

  /** Only disks that the server itself writes to. */
  async #readDisks(): Promise<Reading[]> {
    const { config } = this.#core.services;
    const places = [
      ...(config.databaseUrl === undefined ? [["data", config.dataDir] as const] : []),
      ...(config.s3 ? [] : [["files", filesDirectory(config)] as const]),
    ];
    const read = places.map(async ([place, directory]) => {
      const space = await readDiskSpace(directory).catch(() => undefined);
      return space && ([{ place }, space] as const);
    });
    const spaces = (await Promise.all(read)).filter((each) => each !== undefined);
    const each = (value: (space: DiskSpace) => number) =>
      spaces.map(([labels, space]) => [labels, value(space)] as const);
    return [
      gauge(
        "parley_disk_free_bytes",
        "What the server may still write, by place.",
        each(({ free }) => free),
        "min",
      ),
      gauge(
        "parley_disk_size_bytes",
        "The size of the file system, by place.",
        each(({ size }) => size),
        "min",
      ),
    ];
  }

  /** Backups of the embedded database. All processes read the same file, so the maximum of them is taken. */
  async #readBackups(): Promise<Reading[]> {
    const { backup, databaseUrl, dataDir } = this.#core.services.config;
    if (backup === undefined || databaseUrl !== undefined) return [];
    const record = await readBackupRecord(dataDir).catch(() => undefined);
    return record ? backupReadings(record, new Date()) : [];
  }

  /** All processes have the same answers, so the maximum of them is taken. */
  async #askDatabase(): Promise<Reading[]> {
    const [lag, jobs, mails] = await Promise.all([
      this.#searchLag.read(),
      this.#jobs.read(),
      this.#mails.read(),
    ]);
    const readings: Reading[] = [];
    if (lag !== undefined) {
      readings.push(
        gauge("parley_search_backlog_messages", "Messages that are not in the search index yet.", lag, "max"),
      );
    }
    if (jobs) {
      const states = [
        [{ state: "due" }, jobs.due],
        [{ state: "failed" }, jobs.failed],
      ] as const;
      readings.push(
        gauge("parley_jobs", "Background jobs that wait, or have failed for good.", states, "max"),
      );
    }
    return mails ? [...readings, ...mailReadings(mails)] : readings;
  }
}

function mailReadings({ waiting, failed, refused, oldestSeconds }: QueueCounts): Reading[] {
  const states = [
    [{ state: "waiting" }, waiting],
    [{ state: "failed" }, failed],
    [{ state: "refused" }, refused],
  ] as const;
  return [
    gauge("parley_mails", "Mails that wait, have failed, or were refused by the mail server.", states, "max"),
    gauge(
      "parley_mail_oldest_seconds",
      "How long the oldest mail that waits has waited.",
      oldestSeconds,
      "max",
    ),
  ];
}

export function buildInfo(): Reading {
  const labels = { version: ownVersion, node: process.version };
  return gauge("parley_build_info", "The versions of Parley and of Node.", [[labels, 1]], "first");
}

/** Without a backup only failures are known. */
function backupReadings({ newest, failures }: BackupRecord, now: Date): Reading[] {
  const read = [
    gauge("parley_backup_failures", "Tries that have failed since the last good backup.", failures, "max"),
  ];
  if (!newest) return read;
  const [startedAt, finishedAt] = [Date.parse(newest.startedAt), Date.parse(newest.finishedAt)];
  return [
    ...read,
    gauge(
      "parley_backup_last_success_timestamp_seconds",
      "When the last good backup was finished.",
      finishedAt / 1000,
      "max",
    ),
    gauge(
      "parley_backup_age_seconds",
      "How old the last good backup is.",
      Math.max(0, (now.getTime() - finishedAt) / 1000),
      "max",
    ),
    gauge(
      "parley_backup_bytes",
      "The size of the last good backup, before compression.",
      newest.bytes,
      "max",
    ),
    gauge(
      "parley_backup_duration_seconds",
      "How long the last good backup took.",
      (finishedAt - startedAt) / 1000,
      "max",
    ),
  ];
}

/** The classes that alarms ask for are always there, so that their first count is seen as a change. */
function countsByClass([operation, { byClass }]: readonly [string, CallStats]): [Labels, number][] {
  return byClass.flatMap((count, digit): [Labels, number][] =>
    count > 0 || digit === 2 || digit >= 4 ? [[{ operation, class: `${digit}xx` }, count]] : [],
  );
}
