/** Where files lie in an S3-speaking storage, and with which key the server gets at them. */
export interface S3Settings {
  bucket: string;
  /** What all keys begin with: nothing, or a path without slashes at its ends. */
  prefix: string;
  region: string;
  /** undefined: Amazon's own, which follows from the region. */
  endpoint: string | undefined;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
}

const PLACE = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}){0,8})\/*$/;

/**
 * Reads an address of the form s3://bucket/prefix, and the variables that programs commonly share for S3.
 * Returns a sentence for people if something is wrong. It never has the secret key. `named`: what has the
 * address, in that sentence.
 */
export function readS3Settings(
  place: string,
  variable: (name: string) => string | undefined,
  named = "PARLEY_FILES",
): S3Settings | string {
  const [, bucket, path] = PLACE.exec(place) ?? [];
  if (bucket === undefined || path === undefined) {
    return `${named}${shown(place)} must have the form s3://bucket or s3://bucket/prefix.`;
  }
  const endpoint = readEndpoint(variable("AWS_ENDPOINT_URL"));
  if (endpoint === null) {
    return "AWS_ENDPOINT_URL must have the form https://storage.example.com, without a path or a password.";
  }
  const [accessKeyId, secretAccessKey] = [variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY")];
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    return `${named} is '${place}', which needs a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;
  }
  const region = variable("AWS_REGION") ?? (endpoint === undefined ? undefined : "us-east-1");
  if (region === undefined) {
    return `${named} is '${place}', which needs a place: set AWS_REGION, and AWS_ENDPOINT_URL if it is not Amazon's.`;
  }
  const sessionToken = variable("AWS_SESSION_TOKEN");
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  return { bucket, prefix: path.slice(1), region, endpoint, credentials };
}

/** An address with an @ may have a key in it. */
function shown(place: string): string {
  return place.includes("@") ? "" : ` is '${place}', but`;
}

/** The place in words, for people who run the server. */
export function describeS3({ bucket, prefix, endpoint, region }: S3Settings): string {
  const place = prefix === "" ? bucket : `${bucket}/${prefix}`;
  return `s3://${place} at ${endpoint ?? `Amazon in ${region}`}`;
}

function readEndpoint(text: string | undefined): string | undefined | null {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol)) return null;
  return url.username || url.password || url.pathname !== "/" || url.search || url.hash ? null : url.origin;
}
