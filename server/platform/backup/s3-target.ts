import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { S3Client } from "@aws-sdk/client-s3";
import { openS3Client, undefinedIfNoFile } from "../file-storage/s3-client.ts";
import { problemOf } from "../file-storage/s3-problem.ts";
import { describeS3, type S3Settings } from "../file-storage/s3-settings.ts";
import { BackupError, type BackupTarget } from "./target.ts";

/**
 * Backups in a bucket. What is written under a name is there whole or not at all by the nature of S3, and
 * durable once the storage has answered.
 */
export class S3Target implements BackupTarget {
  readonly name: string;
  readonly #settings: S3Settings;
  #client: Promise<S3Client> | undefined;

  constructor(settings: S3Settings) {
    this.name = describeS3(settings);
    this.#settings = settings;
  }

  /** Writes, reads and deletes a small thing, so that missing rights are told before the work begins. */
  async prepare(): Promise<void> {
    const name = `probe-${randomUUID()}`;
    const bytes = Buffer.from(name);
    await this.write(name, bytes);
    const read = await this.read(name);
    await this.delete(name);
    if (read?.equals(bytes) && !(await this.has(name))) return;
    throw new BackupError(
      "bucket-refused",
      `${this.name} does not give back what was written to it. Name another target.`,
    );
  }

  async read(name: string): Promise<Buffer | undefined> {
    const { GetObjectCommand } = await import("@aws-sdk/client-s3");
    return this.#ask("read", async (client) => {
      const answer = await client.send(new GetObjectCommand(this.#at(name))).catch(undefinedIfNoFile);
      return answer && buffer(answer.Body as Readable);
    });
  }

  async write(name: string, bytes: Buffer): Promise<void> {
    const { PutObjectCommand } = await import("@aws-sdk/client-s3");
    await this.#ask("write", (client) =>
      client.send(new PutObjectCommand({ ...this.#at(name), Body: bytes })),
    );
  }

  async has(name: string): Promise<boolean> {
    const { HeadObjectCommand } = await import("@aws-sdk/client-s3");
    const found = await this.#ask("look for", (client) =>
      client.send(new HeadObjectCommand(this.#at(name))).catch(undefinedIfNoFile),
    );
    return found !== undefined;
  }

  async *list(folder: string): AsyncIterable<string> {
    const { ListObjectsV2Command } = await import("@aws-sdk/client-s3");
    const { Bucket, Key: start } = this.#at("");
    const Prefix = folder === "" ? start : `${start}${folder}/`;
    let token: string | undefined;
    do {
      const asked = { Bucket, Prefix, ...(token && { ContinuationToken: token }) };
      const answer = await this.#ask("list", (client) => client.send(new ListObjectsV2Command(asked)));
      for (const { Key = "" } of answer.Contents ?? []) yield Key.slice(start.length);
      token = answer.NextContinuationToken;
    } while (token !== undefined);
  }

  async delete(name: string): Promise<void> {
    const { DeleteObjectCommand } = await import("@aws-sdk/client-s3");
    await this.#ask("delete", (client) =>
      client.send(new DeleteObjectCommand(this.#at(name))).catch(undefinedIfNoFile),
    );
  }

  /** An object is there when it is whole. */
  async deleteUnfinished(): Promise<void> {}

  async #ask<T>(step: string, act: (client: S3Client) => Promise<T>): Promise<T> {
    try {
      this.#client ??= openS3Client(this.#settings);
      return await act(await this.#client);
    } catch (error) {
      throw new BackupError(...problemOf(error, step, this.#settings, "backups"), { cause: error });
    }
  }

  #at(name: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.#settings;
    return { Bucket: bucket, Key: prefix === "" ? name : `${prefix}/${name}` };
  }
}
