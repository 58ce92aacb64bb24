/**
 * Makes backups when they are due, and notes how they went. One process of an installation runs it: the one
 * that has started the embedded database. What is due follows from the target alone, so a restart forgets
 * nothing, and a backup that people made by themselves counts.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { failureFacts } from "../std/failure-facts.ts";
import { type BackupRecord, readBackupRecord, recordedBackup, writeBackupRecord } from "./backup-record.ts";
import { findNewest, type Manifest } from "./manifest.ts";
import { BackupBusy, BackupError, type BackupTarget } from "./target.ts";
import { lastDue, nextDue, type Times } from "./times.ts";

export interface ScheduleOptions {
  target: BackupTarget;
  dataDir: string;
  times: Times;
  /** The one of today. After a rotation a backup of before, and the log after it, would not fit together. */
  secret?: string | undefined;
  /** Makes one. Rejects if that fails, or soon after the signal was aborted. */
  make(signal: AbortSignal): Promise<void>;
  log: Pick<Logger, "error" | "info">;
  /** How long after its start it looks at the target, so that the archive of the log has begun. */
  firstLookMs?: number;
  /** How long it waits after a first failure, and while another backup is made. */
  retryMs?: number;
  now?(): Date;
}

const FIRST_LOOK_MS = 10_000;
const RETRY_MS = 5 * 60_000;
/** Others may make backups too, and clocks are set to other times. */
const LOOK_MS = 3600_000;
/** The longest wait after failures, each of which doubles it. */
const MAX_RETRY_MS = LOOK_MS;

export class BackupSchedule {
  readonly #options: ScheduleOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Ends a backup that is being made. The next start makes it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { firstLookMs = FIRST_LOOK_MS } = this.#options;
    const { signal } = this.#stopping;
    for (let waitMs = firstLookMs; ; waitMs = await this.#look()) {
      await sleep(waitMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
  }

  /** Makes a backup if one is due. Resolves with the time until the next look. */
  async #look(): Promise<number> {
    const { target, dataDir, times, log, retryMs = RETRY_MS } = this.#options;
    const record = await this.#readRecord().catch(() => this.#newRecord());
    try {
      let newest = await this.#findNewest(record);
      if (this.#isDue(newest)) {
        await this.#options.make(this.#stopping.signal);
        newest = await findNewest(target);
        if (newest) log.info({ backup: newest.id, target: target.name }, "a backup was made");
      }
      await writeBackupRecord(dataDir, noted(record, newest));
      const next = nextDue(times, this.#now());
      return next ? Math.min(LOOK_MS, next.getTime() - this.#now().getTime()) : LOOK_MS;
    } catch (error) {
      if (this.#stopping.signal.aborted) return 0;
      if (error instanceof BackupBusy) return retryMs;
      const failures = record.failures + 1;
      const waitMs = Math.min(MAX_RETRY_MS, retryMs * 2 ** Math.min(failures - 1, 10));
      const sentence = sentenceOf(error);
      log.error(
        { failures, target: target.name, waitMs, ...(!(error instanceof BackupError) && { err: error }) },
        `The backup failed, and will be tried again: ${sentence}`,
      );
      const failure = { at: this.#now().toISOString(), sentence };
      // Where this fails too the disk of the data directory is full, which is told by itself.
      await writeBackupRecord(dataDir, { ...record, failures, failure }).catch(() => {});
      return waitMs;
    }
  }

  /**
   * A target that has lost its backups is a disk that is not mounted, more often than one that was emptied.
   * What is written to its place would fill the disk of the server.
   */
  async #findNewest({ newest: known }: BackupRecord): Promise<Manifest | undefined> {
    const { target, dataDir } = this.#options;
    const newest = await findNewest(target);
    if (newest || !known) return newest;
    throw new BackupError(
      "backup-missing",
      `${target.name} had the backup ${known.id}, and now has none. Is its disk mounted? If it was emptied on purpose, delete backups.json in ${dataDir}.`,
    );
  }

  #isDue(newest: Manifest | undefined): boolean {
    const due = lastDue(this.#options.times, this.#now());
    if (due === undefined) return false;
    return newest === undefined || new Date(newest.startedAt) < due || this.#hasOtherSecret(newest);
  }

  #hasOtherSecret({ secret }: Manifest): boolean {
    const { secret: current } = this.#options;
    return current !== undefined && secret.kind === "included" && secret.value !== current;
  }

  async #readRecord(): Promise<BackupRecord> {
    const record = await readBackupRecord(this.#options.dataDir);
    return record?.target === this.#options.target.name ? record : this.#newRecord();
  }

  #newRecord(): BackupRecord {
    return { target: this.#options.target.name, since: this.#now().toISOString(), failures: 0 };
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }
}

/** Failures count until there is a backup that is newer. */
function noted(record: BackupRecord, newest: Manifest | undefined): BackupRecord {
  const { failure, failures, newest: _, ...rest } = record;
  const isOver = newest !== undefined && (failure === undefined || newest.finishedAt > failure.at);
  return {
    ...rest,
    ...(newest && { newest: recordedBackup(newest) }),
    failures: isOver ? 0 : failures,
    ...(!isOver && failure && { failure }),
  };
}

function sentenceOf(error: unknown): string {
  return error instanceof BackupError ? error.message : `${failureFacts(error).message}`;
}
