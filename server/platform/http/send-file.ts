import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import type { FileStorage } from "../file-storage/file-storage.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Its requests have a limit of their own, since one page shows many pictures. */
    isStoredFile?: boolean;
  }
}

export interface StoredFile {
  /** Under which it is stored. What is stored under a key never changes. */
  key: string;
  /** Of our own choice. Browsers take the file for nothing else. */
  contentType: string;
  /** For caches: the same for the same bytes. */
  tag: string;
}

const YEAR_SECONDS = 365 * 24 * 3600;
/** Should a browser show the file as a page, it runs nothing and loads nothing. */
const FILE_POLICY = "default-src 'none'; sandbox";

/** Sends a stored file that everyone may read, to a GET or a HEAD. A file that is not there gives a 404. */
export async function sendPublicFile(
  request: FastifyRequest,
  reply: FastifyReply,
  storage: Pick<FileStorage, "open" | "size">,
  { key, contentType, tag }: StoredFile,
): Promise<FastifyReply> {
  const etag = `"${tag}"`;
  const send = (size: number) =>
    reply.headers({
      "Content-Type": contentType,
      "Content-Length": size,
      "Content-Security-Policy": FILE_POLICY,
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Cache-Control": `public, max-age=${YEAR_SECONDS}, immutable`,
      ETag: etag,
    });
  if (request.method === "HEAD") return send(found(await storage.size(key))).send();
  if (isKnown(request.headers["if-none-match"], etag)) {
    found(await storage.size(key));
    return send(0).removeHeader("Content-Length").code(304).send();
  }
  const file = found(await storage.open(key));
  return send(file.size).send(file.stream);
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
