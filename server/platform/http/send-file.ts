import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { pipeline, type Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import type { ByteRange, FileStorage } from "../file-storage/file-storage.ts";
import { type AnswerHead, securityHeaders } from "./answer.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Its requests have a higher limit of their own: a page shows many pictures, and an office opens it. */
    isStoredFile?: boolean;
    /**
     * The same for everybody and sent from memory, which costs no more than a refusal. A browser's first
     * visit fetches some eighty of them, and a class shares an address.
     */
    isStatic?: boolean;
  }
}

export interface StoredFile {
  /** Under which it is stored. What is stored under a key never changes. */
  key: string;
  /** The type that we choose. Browsers may not guess another. */
  contentType: string;
  /** For caches: the same for the same bytes. */
  tag: string;
  /** By default caches of all kinds keep it for a year. */
  cacheControl?: string;
}

/** The part of a request that decides how much of a file is sent. */
export interface FileRequest {
  method: string;
  headers: IncomingHttpHeaders;
}

type Storage = Pick<FileStorage, "open" | "size">;
type Headers = Readonly<Record<string, string | number>>;

const YEAR_SECONDS = 365 * 24 * 3600;
const FOR_A_YEAR = `public, max-age=${YEAR_SECONDS}, immutable`;
/** Should a browser show the file as a page, it runs nothing and loads nothing. */
const FILE_POLICY = "default-src 'none'; sandbox";

/** Sends a stored file that everyone may read, to a GET or a HEAD. A file that is not there gives a 404. */
export async function sendPublicFile(
  request: FastifyRequest,
  reply: FastifyReply,
  storage: Storage,
  file: StoredFile,
): Promise<FastifyReply> {
  const { status, headers, stream } = await answerWithFile(request, storage, file, {
    "Content-Security-Policy": FILE_POLICY,
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Cache-Control": file.cacheControl ?? FOR_A_YEAR,
  });
  return reply.code(status).headers(headers).send(stream);
}

/**
 * The response with a stored file, to a GET or a HEAD: all of it, one range of it, or nothing because the
 * client has it already. A request for several ranges gets the whole file. Throws `notFound` if the file is
 * not there.
 */
export async function answerWithFile(
  { method, headers: asked }: FileRequest,
  storage: Storage,
  { key, contentType, tag }: StoredFile,
  more: Headers,
): Promise<FileAnswer> {
  const etag = `"${tag}"`;
  const common = { "Content-Type": contentType, "Accept-Ranges": "bytes", ...more, ETag: etag };
  if (isKnown(asked["if-none-match"], etag)) {
    found(await storage.size(key));
    return new FileAnswer(304, common);
  }
  if (method === "HEAD") {
    return new FileAnswer(200, { ...common, "Content-Length": found(await storage.size(key)) });
  }
  const ranged = parseRange(asked, etag);
  if (ranged === undefined) {
    const { size, stream } = found(await storage.open(key));
    return new FileAnswer(200, { ...common, "Content-Length": size }, stream);
  }
  const size = found(await storage.size(key));
  const range = rangeWithin(ranged, size);
  if (!range) {
    return new FileAnswer(416, { ...common, "Content-Length": 0, "Content-Range": `bytes */${size}` });
  }
  const { stream } = found(await storage.open(key, range));
  const { first, last } = range;
  return new FileAnswer(
    206,
    { ...common, "Content-Length": last - first + 1, "Content-Range": `bytes ${first}-${last}/${size}` },
    stream,
  );
}

/** A response whose body is a file, or a part of one. */
export class FileAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** undefined: there is no body. Its receiver must read or destroy it. */
  readonly stream: Readable | undefined;

  constructor(status: number, headers: Headers, stream?: Readable) {
    this.status = status;
    this.headers = headers;
    this.stream = stream;
  }

  /** Writes the response as fast as the client takes it. A client that leaves ends the reading. */
  write(res: ServerResponse, head: AnswerHead): void {
    if (res.destroyed || res.headersSent) {
      this.stream?.destroy();
      return;
    }
    res.writeHead(this.status, {
      "X-Request-Id": head.requestId,
      ...securityHeaders,
      ...this.headers,
      ...(head.isLast && { Connection: "close" }),
    });
    // A file that can't be read to its end breaks the connection, so that the client does not take it for
    // whole.
    if (this.stream) pipeline(this.stream, res, () => {});
    else res.end();
  }
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new ApiError(errors.notFound);
  return value;
}

/** Whether the client has the file already. Caches may have marked its tag as weak. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((each) => ["*", etag].includes(each.trim().replace(/^W\//, "")));
}

/** From a byte to another one or to the end, or as many bytes of the end as `last` says. */
interface RequestedRange {
  first: number | undefined;
  last: number | undefined;
}

/** The one range that is wanted; undefined if all is wanted, or what the client has is of another file. */
function parseRange(headers: IncomingHttpHeaders, etag: string): RequestedRange | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.range?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || first + last === "") return undefined;
  const condition = headers["if-range"];
  if (condition !== undefined && condition !== etag) return undefined;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  return { first: first === "" ? undefined : Number(first), last: last === "" ? undefined : Number(last) };
}

/** undefined: the file has no byte of it. */
function rangeWithin({ first, last }: RequestedRange, size: number): ByteRange | undefined {
  if (first === undefined) {
    const count = Math.min(last ?? 0, size);
    return count === 0 ? undefined : { first: size - count, last: size - 1 };
  }
  return first < size ? { first, last: Math.min(last ?? size, size - 1) } : undefined;
}
