/** A server that speaks S3, on a port of this machine. It checks signatures. Its files are in a directory. */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver, { type S3Context } from "@20minutes/s3rver";
import type { S3Settings } from "../../server/platform/file-storage/s3-settings.ts";

export const BUCKET = "parley-files";
/** The only key that the package knows. */
export const CREDENTIALS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

export interface S3Server {
  endpoint: string;
  settings: S3Settings;
  /** The environment of a Parley server that uses it. */
  variables: Record<string, string>;
  /** Method and address of each request since the start. */
  requests: string[];
  /** Answers in place of the storage if it returns true. */
  intercept: ((request: string, response: ServerResponse) => boolean) | undefined;
  close(): Promise<void>;
}

export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), "parley-s3-"));
  const storage = new S3rver({ silent: true, directory, configureBuckets: [{ name: BUCKET }] });
  storage.middleware.splice(-1, 0, signBucketWithSlash);
  await storage.configureBuckets();
  const handle = storage.callback();
  const server = createServer((request, response) => {
    const named = `${request.method} ${request.url}`;
    started.requests.push(named);
    if (!started.intercept?.(named, response)) handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started: S3Server = {
    endpoint,
    settings: { bucket: BUCKET, prefix: "chat", region: "us-east-1", endpoint, credentials: CREDENTIALS },
    variables: {
      PARLEY_FILES: `s3://${BUCKET}/chat`,
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    },
    requests: [],
    intercept: undefined,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      storage.logger.exceptions.unhandle();
      storage.logger.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return started;
}

/**
 * The SDK asks for a bucket, such as to list it, as `/BUCKET/` and signs that. The package leaves out the
 * last slash when it checks, and refuses each such request. It keeps the slash for buckets in a host's name.
 */
function signBucketWithSlash(context: S3Context, next: () => Promise<void>): Promise<void> {
  if (/^\/[^/]+\/$/.test(context.path)) {
    context.state.vhost = true;
    context.mountPath = "/";
  }
  return next();
}

/** Answers as S3 does if something is wrong. */
export function answerError(response: ServerResponse, status: number, code: string): true {
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
  return true;
}
