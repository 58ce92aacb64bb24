import type { S3Client } from "@aws-sdk/client-s3";
import type { S3Settings } from "./s3-settings.ts";

/** How long the storage may keep the server waiting. */
export interface S3Timeouts {
  connectMs: number;
  /** For one attempt, from its first byte to the head of the answer. */
  answerMs: number;
  /** For the next bytes of a file, while its reader waits for them. */
  stallMs: number;
}

export const DEFAULT_TIMEOUTS: S3Timeouts = { connectMs: 5000, answerMs: 60_000, stallMs: 30_000 };
const ATTEMPTS = 3;
/** Each download holds one. The SDK's own limit of 50 would let a few slow readers stop everybody. */
const MAX_CONNECTIONS = 1000;

/** Loads the SDK. */
export async function openS3Client(
  { region, endpoint, credentials }: S3Settings,
  { connectMs, answerMs }: S3Timeouts = DEFAULT_TIMEOUTS,
): Promise<S3Client> {
  const { S3Client } = await import("@aws-sdk/client-s3");
  return withoutVersionWarning(
    () =>
      new S3Client({
        region,
        credentials,
        ...(endpoint && { endpoint, forcePathStyle: true }),
        maxAttempts: ATTEMPTS,
        // Many storages other than Amazon's do not know the newer checksums. The signature covers the bytes.
        requestChecksumCalculation: "WHEN_REQUIRED",
        responseChecksumValidation: "WHEN_REQUIRED",
        requestHandler: {
          connectionTimeout: connectMs,
          requestTimeout: answerMs,
          throwOnRequestTimeout: true,
          socketTimeout: 0,
          httpAgent: { maxSockets: MAX_CONNECTIONS },
          httpsAgent: { maxSockets: MAX_CONNECTIONS },
        },
      }),
  );
}

/** A missing bucket is an error, a missing file is not. */
export function undefinedIfNoFile(error: { name?: string }): undefined {
  if (error.name === "NoSuchKey" || error.name === "NotFound") return undefined;
  throw error;
}

const NO_WARNING = "AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED";

/**
 * Each start and each command would have eight lines about the next year's version of Node.js. The package's
 * own requirements say which version it needs.
 */
function withoutVersionWarning<T>(make: () => T): T {
  const before = process.env[NO_WARNING];
  process.env[NO_WARNING] = "true";
  try {
    return make();
  } finally {
    if (before === undefined) delete process.env[NO_WARNING];
    else process.env[NO_WARNING] = before;
  }
}
