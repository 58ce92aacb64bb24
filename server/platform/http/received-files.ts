/**
 * Files that come with a call, as parts of a `multipart/form-data` body. Each is written to a temporary file
 * while it arrives. The connection is read only as fast as the disk takes it, so a file of any length costs a
 * few buffers. Text fields are kept in memory and are few and short.
 *
 * Whatever ends the arrival early deletes what was written: a file over the limit, a torn body, a client that
 * leaves, too little progress. After that the caller deletes the files with `discard`.
 */
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import type { FastifyRequest } from "fastify";
import type { FileLimits } from "../../../api/endpoint.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { FileStorage } from "../file-storage/file-storage.ts";
import type { ArrivingBodies, ArrivingBody } from "./arriving-bodies.ts";
import { displayName } from "./file-name.ts";
import { addField, type Fields, MAX_FIELDS, noFields } from "./form.ts";
import { boundaryOf } from "./multipart.ts";

export interface ReceivedFile {
  /** The name of the part of the form. */
  fieldName: string;
  /** For people. Nothing on this machine is named after it. */
  fileName: string;
  /** What the client says that it is, which may be wrong. */
  contentType: string;
  /**
   * Where it lies until the response is sent. A caller who wants to keep it stores it under a key before
   * that.
   */
  path: string;
  size: number;
}

export interface ReceivedForm {
  fields: Fields;
  files: readonly ReceivedFile[];
  /** Deletes the files that were not stored, and gives the request's place to the next. */
  discard(): Promise<void>;
}

export interface ReceivingOptions {
  limits: FileLimits;
  storage: Pick<FileStorage, "temporaryPath">;
  arriving: ArrivingBodies;
  /** Called when the request is refused, or its files are discarded. */
  release(): void;
  /** Throws once its sender may not send it any more. */
  checkSender(): void;
}

/** All text fields together. Names and values that come with files are short. */
const MAX_TEXT_BYTES = 64 * 1024;
const MAX_FIELD_NAME = 1024;
/** What surrounds the files in a form: boundaries, names, preambles. */
const MAX_FRAME_BYTES = 128 * 1024;
const BUFFER_BYTES = 64 * 1024;

/** Whether a body may hold files. The header is normalized, see body.ts. */
export function mayHoldFiles({ raw }: FastifyRequest): boolean {
  return raw.headers["content-type"]?.toLowerCase().startsWith("multipart/form-data") ?? false;
}

/**
 * Receives a form with files and passes it to `then`, or the error to respond with. If the client disconnects
 * meanwhile, `then` is never called.
 */
export function receiveFiles(
  request: FastifyRequest,
  options: ReceivingOptions,
  then: (form: ReceivedForm | { error: unknown }) => void,
): void {
  new FileReceiver(request, options, then).begin();
}

type Parser = InstanceType<typeof Busboy>;

class FileReceiver implements ArrivingBody {
  listIndex = -1;
  length = 0;
  periodStartedAt = 0;
  periodStartLength = 0;
  readonly checkSender: () => void;
  readonly #raw: FastifyRequest["raw"];
  readonly #options: ReceivingOptions;
  readonly #then: (form: ReceivedForm | { error: unknown }) => void;
  readonly #maxBytes: number;
  readonly #fields = noFields();
  #textBytes = 0;
  #hasPart = false;
  #parser: Parser | undefined;
  /** The parts that are files, each until it is written. */
  readonly #parts: Readable[] = [];
  readonly #writing: Promise<ReceivedFile>[] = [];
  readonly #paths: string[] = [];
  #isOver = false;

  constructor(
    { raw }: FastifyRequest,
    options: ReceivingOptions,
    then: (form: ReceivedForm | { error: unknown }) => void,
  ) {
    this.#raw = raw;
    this.#options = options;
    this.checkSender = options.checkSender;
    this.#then = then;
    const { maxBytes, maxCount } = options.limits;
    this.#maxBytes = maxBytes * maxCount + MAX_TEXT_BYTES + MAX_FRAME_BYTES;
  }

  begin(): void {
    const { headers } = this.#raw;
    this.#options.arriving.add(this);
    this.#raw.on("close", this.#leave);
    if (Number(headers["content-length"]) > this.#maxBytes) {
      this.giveUp(this.#tooLarge());
      return;
    }
    try {
      this.#parser = this.#parserOf(headers["content-type"] as string);
    } catch {
      // It has no boundary that can be used.
      this.giveUp(new ApiError(errors.unreadableBody));
      return;
    }
    this.#raw.on("data", this.#take).on("end", this.#end);
  }

  giveUp(error: unknown): void {
    void this.#abandon().then(() => {
      // The rest is read, so that the connection can be used again, or the response be read before it closes.
      this.#raw.resume();
      this.#then({ error });
    });
  }

  #parserOf(contentType: string): Parser {
    const { maxBytes } = this.#options.limits;
    const unreadable = (): void => this.#refuse(new ApiError(errors.unreadableBody));
    const boundary = boundaryOf(contentType);
    if (boundary === undefined) throw new ApiError(errors.unreadableBody);
    return new Busboy({
      headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
      fileHwm: BUFFER_BYTES,
      limits: {
        fieldNameSize: MAX_FIELD_NAME,
        fieldSize: MAX_TEXT_BYTES,
        fields: MAX_FIELDS,
        parts: 2 * MAX_FIELDS,
        fileSize: maxBytes,
      },
      isPartAFile: (_field, _type, fileName) => fileName !== undefined,
    })
      .on("file", (fieldName, part, fileName, _encoding, contentType) =>
        this.#takeFile(fieldName, part, fileName, contentType),
      )
      .on("field", (name, value, _isNameCut, isCut) => this.#takeField(name, value, isCut))
      .on("partsLimit", unreadable)
      .on("fieldsLimit", unreadable)
      .on("error", unreadable)
      .on("finish", () => void this.#finish());
  }

  readonly #take = (chunk: Buffer): void => {
    this.length += chunk.length;
    if (this.length > this.#maxBytes) {
      this.#refuse(this.#tooLarge());
      return;
    }
    const parser = this.#parser as Parser;
    if (parser.write(chunk) || this.#isOver) return;
    this.#raw.pause();
    parser.once("drain", () => {
      if (!this.#isOver) this.#raw.resume();
    });
  };

  readonly #end = (): void => {
    this.#parser?.end();
  };

  /** The client disconnected. */
  readonly #leave = (): void => {
    if (!this.#raw.readableEnded) void this.#abandon();
  };

  #takeFile(fieldName: string | undefined, part: Readable, fileName: string, contentType: string): void {
    this.#hasPart = true;
    // A part that ends with an error has it here too. The parser reports it.
    part.on("error", () => {});
    // A browser sends a field without a choice as a file without a name.
    if (fileName === "" || this.#isOver) {
      part.resume();
      return;
    }
    const { maxCount } = this.#options.limits;
    if (fieldName === undefined) {
      this.#refuse(new ApiError(errors.unreadableBody));
    } else if (this.#parts.length === maxCount) {
      this.#refuse(new ApiError(errors.tooManyFiles, { limit: maxCount }));
    } else {
      this.#parts.push(part);
      part.on("limit", () => this.#refuse(this.#tooLarge()));
      const written = this.#write(part, fieldName, fileName, contentType);
      written.catch((error: unknown) => this.#refuse(error));
      this.#writing.push(written);
      return;
    }
    part.resume();
  }

  async #write(
    part: Readable,
    fieldName: string,
    fileName: string,
    contentType: string,
  ): Promise<ReceivedFile> {
    const path = await this.#options.storage.temporaryPath();
    if (this.#isOver) throw new Error("the request ended before the file was opened");
    this.#paths.push(path);
    const file = createWriteStream(path, { flags: "wx", mode: 0o600, highWaterMark: BUFFER_BYTES });
    await pipeline(part, file);
    return { fieldName, fileName: displayName(fileName), contentType, path, size: file.bytesWritten };
  }

  #takeField(name: string | undefined, value: string, isCut: boolean): void {
    if (this.#isOver) return;
    this.#hasPart = true;
    this.#textBytes += Buffer.byteLength(value) + (name?.length ?? 0);
    if (name === undefined || name.length > MAX_FIELD_NAME) this.#refuse(new ApiError(errors.unreadableBody));
    else if (isCut || this.#textBytes > MAX_TEXT_BYTES) this.#refuse(new ApiError(errors.bodyTooLarge));
    else addField(this.#fields, name, value);
  }

  async #finish(): Promise<void> {
    // For a body without any part the parser does not say whether it was torn.
    if (!this.#hasPart && this.length > MAX_FRAME_OF_NOTHING)
      this.#refuse(new ApiError(errors.unreadableBody));
    const settled = await Promise.allSettled(this.#writing);
    if (this.#isOver) return;
    this.#stop();
    const files = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    this.#then({ fields: this.#fields, files, discard: () => this.#discard() });
  }

  #refuse(error: unknown): void {
    if (!this.#isOver) this.giveUp(error);
  }

  #tooLarge(): ApiError<{ limit: number }> {
    return new ApiError(errors.fileTooLarge, { limit: this.#options.limits.maxBytes / 2 ** 20 });
  }

  /** Stops the parser and deletes everything. */
  async #abandon(): Promise<void> {
    if (this.#isOver) return;
    this.#stop();
    this.#raw.pause();
    this.#parser?.destroy();
    for (const part of this.#parts) part.destroy();
    await Promise.allSettled(this.#writing);
    await this.#discard();
  }

  #stop(): void {
    this.#isOver = true;
    this.#options.arriving.remove(this);
    this.#raw.off("data", this.#take).off("end", this.#end).off("close", this.#leave);
  }

  /** A file that can't be deleted now is deleted at a later start. */
  async #discard(): Promise<void> {
    this.#options.release();
    await Promise.allSettled(this.#paths.map((path) => rm(path, { force: true })));
  }
}

/** `--`, the longest boundary, `--` and two line breaks. */
const MAX_FRAME_OF_NOTHING = 2 + 70 + 2 + 4;
