/**
 * Files in a bucket of an S3-speaking storage, each under the prefix and its key. The SDK is loaded with the
 * first call, so that a server without S3 never pays for it.
 */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { S3Client } from "@aws-sdk/client-s3";
import { ConfigError } from "../../setting-values.ts";
import {
  type ByteRange,
  checkKey,
  type FileSource,
  type FileStorage,
  FilesElsewhere,
  isEmpty,
  isKey,
  type OpenedFile,
  StorageAway,
  type StoredFile,
} from "./file-storage.ts";
import { type FilesMark, MARK_NAME, PlaceMark } from "./place-mark.ts";
import { DEFAULT_TIMEOUTS, openS3Client, type S3Timeouts, undefinedIfNoFile } from "./s3-client.ts";
import { isPassing, isRefusal, problemOf } from "./s3-problem.ts";
import { describeS3, type S3Settings } from "./s3-settings.ts";
import { type S3Object, uploadFile } from "./s3-upload.ts";
import { StoredStream } from "./stored-stream.ts";
import { TemporaryFiles } from "./temporary-files.ts";

export class S3Storage implements FileStorage {
  readonly mark: PlaceMark;
  readonly #settings: S3Settings;
  readonly #timeouts: S3Timeouts;
  readonly #temporaryDir: string;
  readonly #temporary: TemporaryFiles;
  /** Whether the mark was there when it was last looked for. A bucket charges for each look. */
  #isMarked = false;
  #client: Promise<S3Client> | undefined;

  constructor(settings: S3Settings, temporaryDir: string, timeouts: Partial<S3Timeouts> = {}) {
    this.#settings = settings;
    this.#timeouts = { ...DEFAULT_TIMEOUTS, ...timeouts };
    this.#temporaryDir = temporaryDir;
    this.#temporary = new TemporaryFiles(temporaryDir);
    this.mark = new PlaceMark({
      name: describeS3(settings),
      read: () => this.#whileThere("read", () => this.#readMark()),
      write: (text) =>
        this.#whileThere("write", () => this.#putBytes(MARK_NAME, Buffer.from(text), "text/plain")),
      isEmpty: () => this.#whileThere("list", () => isEmpty(this.#list())),
    });
  }

  expectMark(mark: FilesMark): void {
    this.#isMarked = false;
    this.mark.expect(mark);
  }

  /** Writes, reads and deletes a small file, whose name no key has. */
  async prepare(): Promise<void> {
    await this.#prepareTemporary();
    const name = `.probe/${randomUUID()}`;
    const bytes = Buffer.from(name);
    await this.#try("write", () => this.#putBytes(name, bytes, "text/plain"));
    const read = await this.#try("read", async () => {
      const opened = await this.#open(name);
      return opened && (await buffer(opened.stream));
    });
    await this.#try("delete", () => this.#delete(name));
    // Without the right to list, a missing file looks like a forbidden one.
    const left = await this.#try("look for", () => this.#size(name));
    if (!read?.equals(bytes) || left !== undefined)
      throw new ConfigError(
        "bucket-refused",
        "The storage for files in PARLEY_FILES does not give back what was written to it. Name another one.",
      );
    await this.#lookForMark();
  }

  /** Asks for a file that is not there, which costs least. */
  async check(): Promise<string | undefined> {
    try {
      await this.#try("look for", () => this.#size(".probe/none"));
      await this.#lookForMark();
      return undefined;
    } catch (error) {
      if (error instanceof ConfigError || error instanceof StorageAway) return error.message;
      throw error;
    }
  }

  temporaryPath(): Promise<string> {
    return this.#temporary.newPath();
  }

  partialPath(name: string): Promise<string> {
    return this.#temporary.partialPath(name);
  }

  async put(key: string, source: FileSource): Promise<void> {
    checkKey(key);
    if ("bytes" in source) {
      await this.#requireMark();
      return this.#whileThere("write", () => this.#putBytes(key, source.bytes, source.contentType));
    }
    try {
      await this.#requireMark();
      await this.#whileThere("write", async () => uploadFile(await this.#connect(), this.#at(key), source));
    } finally {
      await rm(source.path, { force: true });
    }
  }

  async open(key: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    checkKey(key);
    return (await this.#whileThere("read", () => this.#open(key, range))) ?? this.#missing();
  }

  async size(key: string): Promise<number | undefined> {
    checkKey(key);
    return (await this.#whileThere("look for", () => this.#size(key))) ?? this.#missing();
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
    await this.#requireMark();
    await this.#whileThere("delete", () => this.#delete(key));
  }

  async *list(): AsyncGenerator<StoredFile> {
    await this.#requireMark();
    yield* this.#list();
  }

  async *#list(): AsyncGenerator<StoredFile> {
    const { ListObjectsV2Command } = await import("@aws-sdk/client-s3");
    const client = await this.#connect();
    const { Bucket, Key: Prefix } = this.#at("");
    let token: string | undefined;
    do {
      const asked = { Bucket, Prefix, ...(token && { ContinuationToken: token }) };
      const answer = await this.#whileThere("list", () => client.send(new ListObjectsV2Command(asked)));
      for (const { Key = "", Size = 0 } of answer.Contents ?? []) {
        const key = Key.slice(Prefix.length);
        if (isKey(key)) yield { key, size: Size };
      }
      token = answer.NextContinuationToken;
    } while (token !== undefined);
  }

  /** A bucket that is gone lacks each file too, and to a HEAD it says no more. */
  async #missing(): Promise<undefined> {
    await this.#lookForMark();
    return undefined;
  }

  async #requireMark(): Promise<void> {
    if (!this.#isMarked) await this.#lookForMark();
  }

  async #lookForMark(): Promise<void> {
    this.#isMarked = false;
    const problem = await this.mark.problem();
    if (problem !== undefined) throw new FilesElsewhere(problem);
    this.#isMarked = true;
  }

  async #readMark(): Promise<string | undefined> {
    const opened = await this.#open(MARK_NAME);
    return opened && (await buffer(opened.stream)).toString();
  }

  async #prepareTemporary(): Promise<void> {
    try {
      await this.#temporary.prepare();
    } catch (error) {
      throw new ConfigError(
        "files-unwritable",
        `The directory for unfinished files, ${this.#temporaryDir}, can't be written (${(error as NodeJS.ErrnoException).code}). Change its owner, or name another data directory in PARLEY_DATA_DIR.`,
      );
    }
  }

  /**
   * What passes, and what the operator must put right, becomes an error that callers of any storage know: to
   * people the files are away, and the log has a sentence.
   */
  async #whileThere<T>(step: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (!isPassing(error) && !isRefusal(error)) throw error;
      throw new StorageAway(...problemOf(error, step, this.#settings), { cause: error });
    }
  }

  async #try<T>(step: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      const found = problemOf(error, step, this.#settings);
      throw isPassing(error) ? new StorageAway(...found) : new ConfigError(...found);
    }
  }

  async #putBytes(name: string, bytes: Buffer, contentType: string): Promise<void> {
    const { PutObjectCommand } = await import("@aws-sdk/client-s3");
    const client = await this.#connect();
    await client.send(new PutObjectCommand({ ...this.#at(name), Body: bytes, ContentType: contentType }));
  }

  async #open(name: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    const { GetObjectCommand } = await import("@aws-sdk/client-s3");
    const client = await this.#connect();
    const part = range && { Range: `bytes=${range.first}-${range.last}` };
    const answer = await client
      .send(new GetObjectCommand({ ...this.#at(name), ...part }))
      .catch(undefinedIfNoFile);
    if (!answer) return undefined;
    const body = answer.Body as Readable;
    const size = range ? totalOf(answer.ContentRange) : answer.ContentLength;
    if (size === undefined) {
      body.destroy();
      throw new Error("the storage does not tell the size of a file");
    }
    return { size, stream: new StoredStream(body, this.#timeouts.stallMs) };
  }

  async #size(name: string): Promise<number | undefined> {
    const { HeadObjectCommand } = await import("@aws-sdk/client-s3");
    const client = await this.#connect();
    const answer = await client.send(new HeadObjectCommand(this.#at(name))).catch(undefinedIfNoFile);
    return answer?.ContentLength;
  }

  async #delete(name: string): Promise<void> {
    const { DeleteObjectCommand } = await import("@aws-sdk/client-s3");
    const client = await this.#connect();
    await client.send(new DeleteObjectCommand(this.#at(name))).catch(undefinedIfNoFile);
  }

  #at(name: string): S3Object {
    const { bucket, prefix } = this.#settings;
    return { Bucket: bucket, Key: prefix === "" ? name : `${prefix}/${name}` };
  }

  #connect(): Promise<S3Client> {
    this.#client ??= openS3Client(this.#settings, this.#timeouts);
    return this.#client;
  }
}

/** The size of the whole file in `bytes 2-4/10`. */
function totalOf(contentRange: string | undefined): number | undefined {
  const [, total] = /\/(\d+)$/.exec(contentRange ?? "") ?? [];
  return total === undefined ? undefined : Number(total);
}
