import { FaultError } from "../faults/fault-error.ts";
import type { Seal } from "./seal.ts";

/** Says whose backups a target has, and is never encrypted. */
export const OWNER = "parley-backup.json";

/**
 * Where backups lie. All names are relative to the target, and have slashes between their parts. What is
 * written under a name is there whole or not at all, so a process that is killed leaves nothing to be
 * taken for good.
 */
export interface BackupTarget {
  /** The target as people named it. */
  readonly name: string;
  /** undefined: what is in the target is not encrypted. */
  readonly seal?: Seal;
  /** Creates what is missing. Throws a BackupError with a sentence if the target can't be written. */
  prepare(): Promise<void>;
  /** undefined: there is no such name. */
  read(name: string): Promise<Buffer | undefined>;
  /** Durable once it resolves. What was there under the name is replaced. */
  write(name: string, bytes: Buffer): Promise<void>;
  has(name: string): Promise<boolean>;
  /** The names in a folder and below it, in no order. */
  list(folder: string): AsyncIterable<string>;
  /** Deletes what is under the name, if anything is. */
  delete(name: string): Promise<void>;
  /** Deletes what a process that was killed had begun to write in a folder. Nobody else may write there. */
  deleteUnfinished(folder: string): Promise<void>;
}

/** A backup can't be made, found, read or restored. The message is a sentence for the person who runs it. */
export class BackupError extends FaultError {
  override name = "BackupError";
}

/** Another backup of the installation is being made. */
export class BackupBusy extends BackupError {}
