/**
 * The keys with which organizations' JSON web tokens are verified, as the operator sets them. The algorithms
 * come from here and never from a token. All of a key are of one kind, so a public key is never used as a
 * secret.
 */
import { createPublicKey, createSecretKey, type KeyObject } from "node:crypto";

export interface JwtKey {
  key: KeyObject;
  algorithms: readonly string[];
}

/** By the host name of the organization. */
export type JwtKeys = ReadonlyMap<string, JwtKey>;

/** The fewest bytes of a secret: as many as the hash has. */
const secretBytes: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 };

/** The kind of a public key: its type and, for elliptic curves, the curve. */
const publicKinds: Readonly<Record<string, string>> = {
  RS256: "rsa",
  RS384: "rsa",
  RS512: "rsa",
  PS256: "rsa",
  PS384: "rsa",
  PS512: "rsa",
  ES256: "ec prime256v1",
  ES384: "ec secp384r1",
  ES512: "ec secp521r1",
  EdDSA: "ed25519",
};

const MIN_RSA_BITS = 2048;

/** Throws an Error whose message is a sentence. No message has a part of a key. */
export function parseJwtKeys(json: string): JwtKeys {
  const entries = Object.entries(parseObject(json, "It is not a JSON object."));
  if (entries.length === 0) throw new Error("It names no host.");
  return new Map(entries.map(([host, entry]) => [host.toLowerCase(), parseKey(host, entry)]));
}

function parseKey(host: string, entry: unknown): JwtKey {
  const { key, algorithms, ...others } = (isObject(entry) ? entry : {}) as Record<string, unknown>;
  const isComplete = typeof key === "string" && Array.isArray(algorithms) && algorithms.length > 0;
  if (!isComplete || Object.keys(others).length > 0) {
    throw new Error(`The entry of ${host} must have "key" and a list "algorithms", and nothing else.`);
  }
  const known = [...Object.keys(secretBytes), ...Object.keys(publicKinds)];
  const unknown = algorithms.filter((each) => !known.includes(each));
  if (unknown.length > 0) throw new Error(`The algorithms of ${host} must be of ${known.join(", ")}.`);
  const isSecret = algorithms.every((each) => secretBytes[each] !== undefined);
  return { key: isSecret ? secretOf(host, key, algorithms) : publicKeyOf(host, key, algorithms), algorithms };
}

function secretOf(host: string, text: string, algorithms: readonly string[]): KeyObject {
  const least = Math.max(...algorithms.map((each) => secretBytes[each] ?? 0));
  const secret = Buffer.from(text, "utf8");
  if (secret.length < least) throw new Error(`The key of ${host} must have at least ${least} bytes.`);
  return createSecretKey(secret);
}

function publicKeyOf(host: string, pem: string, algorithms: readonly string[]): KeyObject {
  const key = /PRIVATE KEY/.test(pem) ? undefined : readPublicKey(pem);
  if (!key) throw new Error(`The key of ${host} must be a public key in PEM format.`);
  const { namedCurve, modulusLength = MIN_RSA_BITS } = key.asymmetricKeyDetails ?? {};
  const kind = [key.asymmetricKeyType, namedCurve].filter(Boolean).join(" ");
  if (algorithms.some((each) => publicKinds[each] !== kind) || modulusLength < MIN_RSA_BITS) {
    throw new Error(`The key of ${host} does not fit to all of its algorithms.`);
  }
  return key;
}

function readPublicKey(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

function parseObject(json: string, problem: string): object {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Error(problem);
  }
  if (!isObject(value)) throw new Error(problem);
  return value;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
