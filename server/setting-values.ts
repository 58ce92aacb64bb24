/** The values that single settings can have. Each throws a ConfigError about another one, as a sentence. */
import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { DEFAULT_UPLOAD_MIB } from "../api/limits.ts";
import { readNatsUrl } from "./platform/bus/nats-url.ts";
import { FaultError } from "./platform/faults/fault-error.ts";
import { readS3Settings, type S3Settings } from "./platform/file-storage/s3-settings.ts";
import { isProxyRange } from "./platform/http/trusted-proxies.ts";
import { isRange } from "./platform/outbound-http/addresses.ts";

/** A setting has a wrong value. The message is a sentence for the person who starts the server. */
export class ConfigError extends FaultError {}

/** The first choice is the default. */
export function oneOf<const Choices extends readonly [string, ...string[]]>(
  name: string,
  text: string | undefined,
  choices: Choices,
): Choices[number] {
  if (text === undefined) return choices[0];
  if (choices.includes(text)) return text;
  throw new ConfigError("setting-wrong", `${name} is '${text}', but must be ${choices.join(" or ")}.`);
}

export function parsed<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ConfigError("setting-wrong", `${name}: ${(error as Error).message}`);
  }
}

export function readSecrets(name: string, text: string | undefined): string | undefined {
  if (!text?.startsWith("@")) return text;
  try {
    return readFileSync(text.slice(1), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError("setting-file", `${name}: Its file can't be read (${code}).`);
  }
}

export function parseSecrets<T>(name: string, json: string, parse: (json: string) => T): T {
  return parsed(name, () => parse(json));
}

export function readPort(text: string | undefined, name = "PARLEY_PORT"): number {
  if (text === undefined) return 9991;
  if (isServiceLink(text)) {
    throw new ConfigError(
      "setting-wrong",
      `${name} is '${text}', which Kubernetes sets for a service of that name. Give the service another name, or set enableServiceLinks: false in the pod.`,
    );
  }
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new ConfigError(
      "setting-wrong",
      `${name} is '${text}', but must be a whole number from 0 to 65535.`,
    );
  }
  return port;
}

/** Whether Kubernetes made this value, such as `tcp://10.0.0.1:80`, for a service of the variable's name. */
export function isServiceLink(text: string): boolean {
  return /^(?:tcp|udp|sctp):\/\//.test(text);
}

export function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol) || url.pathname !== "/" || url.search || url.hash) {
    throw new ConfigError(
      "setting-wrong",
      `PARLEY_PUBLIC_URL is '${text}', but must have the form https://chat.example.com.`,
    );
  }
  return url.origin;
}

/** Another port than the public one, so that no proxy or firewall opens both by mistake. */
export function readMetrics(
  text: string | undefined,
  publicPort: number,
): { host: string; port: number } | undefined {
  if (text === undefined) return undefined;
  const [, ipv6, name, digits] = /^(?:\[([^\]]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = ipv6 ?? name;
  const port = Number(digits);
  if (host === undefined || port > 65_535 || (ipv6 !== undefined && !isIPv6(ipv6))) {
    throw new ConfigError(
      "setting-wrong",
      `PARLEY_METRICS is '${text}', but must have the form 127.0.0.1:9992 or [::1]:9992.`,
    );
  }
  if (port !== 0 && port === publicPort) {
    throw new ConfigError(
      "settings-together",
      `PARLEY_METRICS is '${text}', but must have another port than PARLEY_PORT.`,
    );
  }
  return { host, port };
}

const LOOPBACK = ["127.0.0.0/8", "::1"];

export function readOutgoingAllow(text: string | undefined, isDevelopment: boolean): readonly string[] {
  if (text === undefined) return isDevelopment ? LOOPBACK : [];
  const ranges = text.split(",").map((range) => range.trim());
  for (const range of ranges) {
    if (isRange(range)) continue;
    throw new ConfigError(
      "setting-wrong",
      `PARLEY_OUTGOING_ALLOW has '${range}', but must be addresses or ranges such as 10.1.2.3 or 10.0.0.0/8, separated by commas.`,
    );
  }
  return ranges;
}

export function readProxies(text: string | undefined): string[] {
  const ranges = text === undefined ? [] : text.split(",").map((range) => range.trim());
  for (const range of ranges) {
    if (isProxyRange(range)) continue;
    throw new ConfigError(
      "setting-wrong",
      `PARLEY_TRUSTED_PROXIES has '${range}', but must be addresses or ranges such as 127.0.0.1 or 10.0.0.0/8, separated by commas.`,
    );
  }
  return ranges;
}

/** The address may contain a password, so the message does not repeat it. */
export function checkNatsUrl(text: string | undefined): string | undefined {
  if (text === undefined || readNatsUrl(text)) return text;
  throw new ConfigError(
    "setting-wrong",
    "PARLEY_NATS_URL must have the form nats://user:password@host:4222, or be several such addresses separated by commas.",
  );
}

/**
 * The settings of a target in a bucket. undefined: `place` is no bucket. Throws a ConfigError that names the
 * place by `named`.
 */
export function readTargetS3(
  place: string,
  text: (name: string) => string | undefined,
  named: string,
): S3Settings | undefined {
  if (!/^s3:/i.test(place)) return undefined;
  const s3 = readS3Settings(place, text, named);
  if (typeof s3 === "string") throw new ConfigError("setting-wrong", s3);
  return s3;
}

/** Short ones are guessed by everybody who has the target. */
const MIN_KEY_LENGTH = 16;

/** `text`: the setting. Throws a ConfigError that does not repeat it. */
export function readBackupKey(text: string | undefined): string | undefined {
  const key = readSecrets("PARLEY_BACKUP_KEY", text)?.trim();
  if (key !== undefined && key.length < MIN_KEY_LENGTH)
    throw new ConfigError(
      "secret-short",
      `PARLEY_BACKUP_KEY has fewer than ${MIN_KEY_LENGTH} characters. Use a long random text, or @FILE with one.`,
    );
  return key;
}

/** It may be guessed from everywhere. A header of a request can't have more. */
const OPERATOR_KEY = /^[\x21-\x7e]{20,1000}$/;

/** Throws a ConfigError that does not repeat it. */
export function readOperatorKey(text: string | undefined): string | undefined {
  const key = readSecrets("PARLEY_OPERATOR_KEY", text)?.trim();
  if (key !== undefined && !OPERATOR_KEY.test(key))
    throw new ConfigError(
      "secret-short",
      "PARLEY_OPERATOR_KEY must have 20 to 1000 letters, digits and signs of ASCII, without spaces. Use a long random text, or @FILE with one.",
    );
  return key;
}

/** A request ends after five minutes, so more than a few gigabytes never arrive. */
const MAX_UPLOAD_MIB = 10_240;

export function readUploadLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_UPLOAD_MIB;
  const mib = Number(text);
  if (!/^\d+$/.test(text) || mib < 1 || mib > MAX_UPLOAD_MIB) {
    throw new ConfigError(
      "setting-wrong",
      `PARLEY_MAX_UPLOAD_MIB is '${text}', but must be a whole number from 1 to ${MAX_UPLOAD_MIB}.`,
    );
  }
  return mib;
}

/** One of so many requests has a line in the log. 0: none. */
export function readLogRequests(text = "off"): number {
  if (text === "off") return 0;
  if (text === "all") return 1;
  const every = Number(/^1\/([1-9]\d{0,6})$/.exec(text)?.[1]);
  if (Number.isNaN(every)) {
    throw new ConfigError(
      "setting-wrong",
      `PARLEY_LOG_REQUESTS is '${text}', but must be off, all, or 1/100 for one of a hundred requests.`,
    );
  }
  return every;
}
