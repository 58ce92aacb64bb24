/**
 * Sends a local file in parts, one after the other. Each is read into the same memory, which stays until the
 * storage has taken the part, so that it can be sent again. After an error nothing more is sent, and the
 * storage is asked to forget the parts that it has.
 */
import { type FileHandle, open } from "node:fs/promises";
import type { S3Client } from "@aws-sdk/client-s3";

/** The smallest part that S3 takes, but for the last one. */
const PART_BYTES = 5 * 1024 * 1024;
const MAX_PARTS = 10_000;

export interface S3Object {
  Bucket: string;
  Key: string;
}

export async function uploadFile(
  client: S3Client,
  object: S3Object,
  { path, contentType }: { path: string; contentType: string },
): Promise<void> {
  const { PutObjectCommand } = await import("@aws-sdk/client-s3");
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const partBytes = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS));
    if (size > partBytes) return await uploadParts(client, object, { file, size, partBytes, contentType });
    const bytes = await readPart(file, Buffer.alloc(size), 0, size);
    await client.send(new PutObjectCommand({ ...object, Body: bytes, ContentType: contentType }));
  } finally {
    await file.close();
  }
}

async function uploadParts(
  client: S3Client,
  object: S3Object,
  source: { file: FileHandle; size: number; partBytes: number; contentType: string },
): Promise<void> {
  const sdk = await import("@aws-sdk/client-s3");
  const begin = new sdk.CreateMultipartUploadCommand({ ...object, ContentType: source.contentType });
  const upload = { ...object, UploadId: (await client.send(begin)).UploadId };
  try {
    const memory = Buffer.allocUnsafeSlow(source.partBytes);
    const parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for (let start = 0; start < source.size; start += source.partBytes) {
      const length = Math.min(source.partBytes, source.size - start);
      const part = { PartNumber: parts.length + 1, Body: await readPart(source.file, memory, start, length) };
      const { ETag } = await client.send(new sdk.UploadPartCommand({ ...upload, ...part }));
      parts.push({ PartNumber: part.PartNumber, ETag });
    }
    await client.send(
      new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }),
    );
  } catch (error) {
    // The first error is the one to know. A storage that is away keeps the parts until its rules end them.
    await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => {});
    throw error;
  }
}

async function readPart(file: FileHandle, memory: Buffer, start: number, length: number): Promise<Buffer> {
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(memory, done, length - done, start + done);
    if (bytesRead === 0) throw new Error("a file became shorter while it was stored");
    done += bytesRead;
  }
  return memory.subarray(0, length);
}
