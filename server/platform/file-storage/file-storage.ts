import type { Readable } from "node:stream";
import { FaultError } from "../faults/fault-error.ts";
import type { FilesMark, PlaceMark } from "./place-mark.ts";

/**
 * Where the bytes of uploads, pictures and exports lie. Rows in the database say what a file is, who may read
 * it and under which key it lies; the storage knows keys and bytes alone.
 *
 * A key is written once and never changed, so what was read can be cached. A file is stored before the row
 * that names it is committed, and deleted after the row is gone. A crash between the two leaves a file that
 * no row names, never a row without its file.
 */
export interface FileStorage {
  /** The mark of the installation in this place. */
  readonly mark: PlaceMark;
  /**
   * From now on the place must have this mark: else `check` says so, and `prepare` and whatever writes,
   * deletes, lists or misses a file throw a FilesElsewhere. Without this call any place will do.
   */
  expectMark(mark: FilesMark): void;
  /**
   * Creates what is missing, and deletes what a crash left unfinished a day ago or earlier. Throws a
   * ConfigError with a sentence for people if the storage can't be used, and a StorageAway if it may be there
   * later without any change of the settings.
   */
  prepare(): Promise<void>;
  /** Why no file can be stored now, in a sentence for people. undefined: files can be stored. */
  check(): Promise<string | undefined>;
  /** The path of a new local file, for what is still being written. Its writer deletes it or stores it. */
  temporaryPath(): Promise<string>;
  /**
   * The path of the local file of this name, for what arrives in several requests. Its writer deletes it. It
   * outlives a restart. Other nodes see it if they share the directory.
   */
  partialPath(name: string): Promise<string>;
  /** Stores a whole file durably. It can be read under the key once this resolves, and never in part. */
  put(key: string, source: FileSource): Promise<void>;
  /**
   * Opens a file for one reading. undefined: there is none. The caller must consume or destroy the stream.
   * `range` must lie within the file.
   */
  open(key: string, range?: ByteRange): Promise<OpenedFile | undefined>;
  /** The file's size in bytes. undefined: there is none. */
  size(key: string): Promise<number | undefined>;
  /** Deletes a file if it is there. */
  delete(key: string): Promise<void>;
  /** All files, in no order. One that is stored or deleted meanwhile may be left out. */
  list(): AsyncIterable<StoredFile>;
}

export interface StoredFile {
  key: string;
  /** In bytes. */
  size: number;
}

export async function isEmpty(list: AsyncIterable<StoredFile>): Promise<boolean> {
  for await (const _ of list) return false;
  return true;
}

/** The storage can't be reached now. The message is a sentence for people. */
export class StorageAway extends FaultError {}

/** The storage is there, and is not the place of this installation's files. */
export class FilesElsewhere extends StorageAway {
  constructor(message: string) {
    super("files-elsewhere", message);
  }
}

/** A local file, which is moved or copied and then gone, after an error too. Or bytes in memory. */
export type FileSource = { path: string; contentType: string } | { bytes: Buffer; contentType: string };

/** The first and the last byte, both included. */
export interface ByteRange {
  first: number;
  last: number;
}

export interface OpenedFile {
  /** The size of the whole file. */
  size: number;
  /** The bytes of the range, or of the whole file. */
  stream: Readable;
}

/**
 * Segments of letters, digits and `_ . -` with slashes between them. No segment begins with a dot, so no key
 * leads to a parent directory or to a hidden file.
 */
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}){1,7}$/;

/** Throws if it is not a key. Keys are made by the server, so a wrong one is a bug. */
export function checkKey(key: string): void {
  if (!isKey(key)) throw new Error("a key of a stored file has a wrong form");
}

/** What else lies in the place of a storage is none of ours, or not finished. */
export function isKey(name: string): boolean {
  return KEY.test(name);
}
