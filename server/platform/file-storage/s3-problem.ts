/** Sentences for people about a storage that can't be used, from the errors of the SDK. */
import type { FoundFault } from "../faults/catalogue.ts";
import { describeS3, type S3Settings } from "./s3-settings.ts";

/** What the SDK throws: an answer of the storage, or an error of the network. */
interface SdkError {
  name?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

const WRONG_KEYS = ["InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken"];
const WRONG_REGION = [
  "PermanentRedirect",
  "AuthorizationHeaderMalformed",
  "IllegalLocationConstraintException",
];
const RIGHTS = "s3:PutObject, s3:GetObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucket";

const PASSING_STATUSES = [429, 500, 502, 503, 504];
const NETWORK_CODES = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
];

/** Whether the same may succeed later without any change of the settings. */
export function isPassing(error: unknown): boolean {
  const { name = "", code = "", $metadata } = error as SdkError;
  const status = $metadata?.httpStatusCode;
  if (status !== undefined) return PASSING_STATUSES.includes(status);
  return NETWORK_CODES.includes(code) || NETWORK_CODES.includes(name) || name === "TimeoutError";
}

/** Whether the storage refuses the server, which only its operator can change. */
export function isRefusal(error: unknown): boolean {
  const { name = "", $metadata } = error as SdkError;
  const isNamed = ["NoSuchBucket", "RequestTimeTooSkewed", ...WRONG_KEYS, ...WRONG_REGION].includes(name);
  return isNamed || [301, 401, 403].includes($metadata?.httpStatusCode ?? 0);
}

/** `step`: what was tried, such as "write". `what`: what lies there. */
export function problemOf(
  error: unknown,
  step: string,
  settings: S3Settings,
  what: "files" | "backups" = "files",
): FoundFault {
  const { bucket, region } = settings;
  const place = `The storage for ${what}, ${describeS3(settings)},`;
  const { name = "Error", code, $metadata } = error as SdkError;
  const status = $metadata?.httpStatusCode;
  if (status === undefined) {
    return [
      "bucket-away",
      `${place} can't be reached (${code ?? name}). Check AWS_ENDPOINT_URL, AWS_REGION and the network.`,
    ];
  }
  if (name === "NoSuchBucket") {
    return [
      "bucket-refused",
      `${place} has no bucket '${bucket}'. Create it, or name another one in ${what === "files" ? "PARLEY_FILES" : "the target"}.`,
    ];
  }
  if (WRONG_KEYS.includes(name)) {
    return [
      "bucket-refused",
      `${place} refuses the key (${name}). Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
    ];
  }
  if (WRONG_REGION.includes(name) || status === 301) {
    return [
      "bucket-refused",
      `${place} has the bucket in another region than '${region}'. Correct AWS_REGION.`,
    ];
  }
  if (status === 403) {
    return [
      "bucket-refused",
      `${place} does not let the key ${step} ${what}. It needs ${RIGHTS} for the bucket '${bucket}'.`,
    ];
  }
  if (name === "RequestTimeTooSkewed") {
    return ["clock-wrong", `${place} finds the time of this machine wrong. Set its clock.`];
  }
  return [
    isPassing(error) ? "bucket-away" : "bucket-refused",
    `${place} can't ${step} ${what}: it answers ${status} (${name}).`,
  ];
}
