import { readFileSync } from "node:fs";
import { isIP, isIPv6 } from "node:net";
import { resolve } from "node:path";
import { DEFAULT_UPLOAD_MIB } from "../api/limits.ts";
import { type KeepRule, parseKeepRule } from "./platform/backup/keep-rule.ts";
import { DEFAULT_TIMES, parseInterval, parseTimes, type Times } from "./platform/backup/times.ts";
import { readNatsUrl } from "./platform/bus/nats-url.ts";
import { type JwtKeys, parseJwtKeys } from "./platform/crypto/jwt-keys.ts";
import { FaultError } from "./platform/faults/fault-error.ts";
import { readS3Settings, type S3Settings } from "./platform/file-storage/s3-settings.ts";
import { isProxyRange } from "./platform/http/trusted-proxies.ts";
import { readSender, readSmtpUrl, type Sender, type SmtpSettings } from "./platform/mail/sender.ts";
import { parseProviders, type SignInProvider } from "./platform/oidc/providers.ts";
import { isRange } from "./platform/outbound-http/addresses.ts";
import { parseTls, type TlsSettings } from "./platform/tls/settings.ts";

/** The settings of the server, from the environment. `docs/running.md` lists them for its users. */
export interface Config {
  /** PARLEY_HOST: the address to listen on. */
  host: string;
  /** PARLEY_PORT. */
  port: number;
  /** PARLEY_DATA_DIR: the database, files and the secret are here and nowhere else. */
  dataDir: string;
  /** DATABASE_URL: a PostgreSQL server in place of the embedded one. */
  databaseUrl: string | undefined;
  /** PARLEY_NATS_URL: a NATS server that wakes other nodes in place of PostgreSQL's notifications. */
  natsUrl: string | undefined;
  /** PARLEY_SECRET: protects stored API keys and tokens; by default, a file in the data directory does. */
  secret: string | undefined;
  /** PARLEY_SMTP_URL and PARLEY_MAIL_FROM: the server that sends mail, and who it comes from. */
  mail: { smtp: SmtpSettings; sender: Sender } | undefined;
  /** PARLEY_FILES: the directory for uploads, pictures and exports; by default one in the data directory. */
  files: string | undefined;
  /** PARLEY_FILES as s3://bucket/prefix, with the AWS_ variables: where files lie instead. */
  s3: S3Settings | undefined;
  /** PARLEY_BACKUP: the target of backups, to which the embedded database's log is archived too. */
  backup: string | undefined;
  /** PARLEY_BACKUP as s3://bucket/prefix, with the AWS_ variables. */
  backupS3: S3Settings | undefined;
  /** PARLEY_BACKUP_KEY: the key with which backups are encrypted. undefined: they are not. */
  backupKey: string | undefined;
  /** PARLEY_BACKUP_AT: when the server makes backups there, by the machine's clock. */
  backupAt: Times;
  /** PARLEY_BACKUP_KEEP: which backups stay when it has made one. undefined: all. */
  backupKeep: KeepRule | undefined;
  /** PARLEY_OPEN_ORGANIZATIONS: `on` lets anyone create an organization below the public host name. */
  hasOpenOrganizations: boolean;
  /** PARLEY_WEB_PUBLIC_STREAMS: `on` lets channels be opened to people without an account. */
  webPublicStreams: boolean;
  /** PARLEY_MAX_UPLOAD_MIB: the largest file that people may upload. */
  maxUploadMib: number;
  /** PARLEY_AVATAR_CHANGES: `off` leaves pictures of people to administrators, in every organization. */
  hasAvatarChanges: boolean;
  /** PARLEY_ENV: `/dev_fetch_api_key` exists in `development` only. */
  isDevelopment: boolean;
  /** PARLEY_PUBLIC_URL: the address for people, without a slash at the end; by default the listening one. */
  publicUrl: string | undefined;
  /** PARLEY_TLS: how the server speaks https itself. undefined: it speaks plain http. */
  tls: TlsSettings | undefined;
  /** PARLEY_HTTP_PORT: the port that leads people from http to https. undefined: there is none. */
  httpPort: number | undefined;
  /** PARLEY_TRUSTED_PROXIES: addresses and ranges of the proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /**
   * PARLEY_OUTGOING_ALLOW: addresses and ranges inside the network that the server may call for others. By
   * default none, and the loopback in development.
   */
  outgoingAllow: readonly string[];
  /** PARLEY_RATE_LIMITS: `off` for benchmarks. */
  hasRateLimits: boolean;
  /** PARLEY_JWT and PARLEY_OIDC as they are set. */
  signInSources: SignInTexts;
  /** Their JSON, as it was last read. */
  signInTexts: SignInTexts;
  /** PARLEY_JWT: keys of the JSON web tokens with which people sign in, by the organization's host name. */
  jwtKeys: JwtKeys;
  /** PARLEY_OIDC: the services that people can sign in with, in the order in which they are shown. */
  providers: readonly SignInProvider[];
  /** PARLEY_METRICS: where metrics are served, for Prometheus. undefined: nowhere. */
  metrics: { host: string; port: number } | undefined;
  /** PARLEY_OPERATOR_KEY: opens the operator's page. undefined: there is none. */
  operatorKey: string | undefined;
  /** PARLEY_LOG_REQUESTS: one of so many requests has a line in the log. 0: none. */
  logRequests: number;
  /** PARLEY_LOG: pino's level. */
  logLevel: string;
}

/** Settings that are JSON, or name a file with it as `@FILE`. They have keys, so no message repeats them. */
export interface SignInTexts {
  jwt: string | undefined;
  oidc: string | undefined;
}

const LOOPBACK = ["127.0.0.0/8", "::1"];

/** A setting has a wrong value. The message is a sentence for the person who starts the server. */
export class ConfigError extends FaultError {}

export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const text = (name: string) => environment[name]?.trim() || undefined;
  const port = readPort(text("PARLEY_PORT"));
  const isDevelopment =
    oneOf("PARLEY_ENV", text("PARLEY_ENV"), ["production", "development"]) === "development";
  const publicUrl = readPublicUrl(text("PARLEY_PUBLIC_URL"));
  const signInSources = { jwt: text("PARLEY_JWT"), oidc: text("PARLEY_OIDC") };
  const signInTexts = readSignInTexts(signInSources);
  return {
    // Brackets belong to URLs, and to PARLEY_METRICS, whose address has a port.
    host: text("PARLEY_HOST")?.replace(/^\[(.*)\]$/, "$1") ?? "127.0.0.1",
    port,
    dataDir: resolve(text("PARLEY_DATA_DIR") ?? "data"),
    databaseUrl: text("DATABASE_URL"),
    natsUrl: checkNatsUrl(text("PARLEY_NATS_URL")),
    secret: text("PARLEY_SECRET"),
    mail: checkMailedSite(
      readMail(text("PARLEY_SMTP_URL"), text("PARLEY_MAIL_FROM")),
      publicUrl,
      isDevelopment,
    ),
    ...readFilesPlace(text),
    ...readBackupSettings(text),
    maxUploadMib: readUploadLimit(text("PARLEY_MAX_UPLOAD_MIB")),
    webPublicStreams:
      oneOf("PARLEY_WEB_PUBLIC_STREAMS", text("PARLEY_WEB_PUBLIC_STREAMS"), ["off", "on"]) === "on",
    hasAvatarChanges: oneOf("PARLEY_AVATAR_CHANGES", text("PARLEY_AVATAR_CHANGES"), ["on", "off"]) === "on",
    isDevelopment,
    publicUrl,
    ...readTls(text, publicUrl, port),
    hasOpenOrganizations: readOpenOrganizations(text("PARLEY_OPEN_ORGANIZATIONS"), publicUrl),
    trustedProxies: readProxies(text("PARLEY_TRUSTED_PROXIES")),
    outgoingAllow: readOutgoingAllow(text("PARLEY_OUTGOING_ALLOW"), isDevelopment),
    hasRateLimits: oneOf("PARLEY_RATE_LIMITS", text("PARLEY_RATE_LIMITS"), ["on", "off"]) === "on",
    signInSources,
    signInTexts,
    ...parseSignIn(signInTexts),
    metrics: readMetrics(text("PARLEY_METRICS"), port),
    operatorKey: readOperatorKey(text("PARLEY_OPERATOR_KEY")),
    logRequests: readLogRequests(text("PARLEY_LOG_REQUESTS")),
    logLevel: oneOf("PARLEY_LOG", text("PARLEY_LOG"), ["info", "trace", "debug", "warn", "error", "silent"]),
  };
}

/** Whether Kubernetes made this value, such as `tcp://10.0.0.1:80`, for a service of the variable's name. */
export function isServiceLink(text: string): boolean {
  return /^(?:tcp|udp|sctp):\/\//.test(text);
}

function readPort(text: string | undefined, name = "PARLEY_PORT"): number {
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

function readTls(
  text: (name: string) => string | undefined,
  publicUrl: string | undefined,
  port: number,
): Pick<Config, "tls" | "httpPort"> {
  const [setting, plain] = [text("PARLEY_TLS"), text("PARLEY_HTTP_PORT")];
  if (setting === undefined) {
    if (plain !== undefined)
      throw new ConfigError(
        "settings-together",
        "PARLEY_HTTP_PORT goes with PARLEY_TLS. Without it, set PARLEY_PORT alone.",
      );
    return { tls: undefined, httpPort: undefined };
  }
  if (!publicUrl?.startsWith("https://")) {
    throw new ConfigError(
      "settings-together",
      "PARLEY_TLS needs PARLEY_PUBLIC_URL with the address for people, such as https://chat.example.com.",
    );
  }
  const tls = parsed("PARLEY_TLS", () => parseTls(setting));
  const httpPort =
    plain === undefined && tls.kind === "file" ? undefined : readPort(plain ?? "80", "PARLEY_HTTP_PORT");
  if (httpPort !== undefined && httpPort === port)
    throw new ConfigError(
      "settings-together",
      "PARLEY_HTTP_PORT and PARLEY_PORT are the same. https needs a port of its own.",
    );
  return { tls, httpPort };
}

/** The address may contain a password, so the message does not repeat it. */
function readMail(url: string | undefined, from: string | undefined): Config["mail"] {
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined || from === undefined) {
    throw new ConfigError(
      "settings-together",
      "PARLEY_SMTP_URL and PARLEY_MAIL_FROM belong together, so set both or neither.",
    );
  }
  const smtp = readSmtpUrl(url);
  if (!smtp) {
    throw new ConfigError(
      "setting-wrong",
      "PARLEY_SMTP_URL must have the form smtp://user:password@host:587 or smtps://user:password@host:465.",
    );
  }
  const sender = readSender(from);
  if (!sender) {
    throw new ConfigError(
      "setting-wrong",
      `PARLEY_MAIL_FROM is '${from}', but must have the form chat@example.com or Parley <chat@example.com>.`,
    );
  }
  return { smtp, sender };
}

/** Links in mails must lead where people reach the server, and no request may say where that is. */
function checkMailedSite(
  mail: Config["mail"],
  publicUrl: string | undefined,
  isDevelopment: boolean,
): Config["mail"] {
  if (mail === undefined || publicUrl !== undefined || isDevelopment) return mail;
  throw new ConfigError(
    "settings-together",
    "PARLEY_SMTP_URL is set, but PARLEY_PUBLIC_URL is not. Mails have links to the server, so set PARLEY_PUBLIC_URL to its address for people, such as https://chat.example.com.",
  );
}

function readFilesPlace(text: (name: string) => string | undefined): Pick<Config, "files" | "s3"> {
  const place = text("PARLEY_FILES");
  if (place === undefined) return { files: undefined, s3: undefined };
  if (/^s3:/i.test(place)) {
    const s3 = readS3Settings(place, text);
    if (typeof s3 === "string") throw new ConfigError("setting-wrong", s3);
    return { files: undefined, s3 };
  }
  if (!/^[a-z0-9+.-]+:\/\//i.test(place)) return { files: resolve(place), s3: undefined };
  throw new ConfigError(
    "setting-wrong",
    `PARLEY_FILES is '${place}', but must be the path of a directory, or have the form s3://bucket/prefix.`,
  );
}

function readBackupSettings(
  text: (name: string) => string | undefined,
): Pick<Config, "backup" | "backupS3" | "backupKey" | "backupAt" | "backupKeep"> {
  const [backup, every] = splitTarget(text("PARLEY_BACKUP"));
  const [at, keep] = [text("PARLEY_BACKUP_AT"), text("PARLEY_BACKUP_KEEP")];
  for (const [name, value] of Object.entries({ PARLEY_BACKUP_AT: at, PARLEY_BACKUP_KEEP: keep })) {
    if (value !== undefined && backup === undefined)
      throw new ConfigError(
        "settings-together",
        `${name} is set, but PARLEY_BACKUP is not. Set it to the target of the backups.`,
      );
  }
  if (every !== undefined && at !== undefined)
    throw new ConfigError(
      "settings-together",
      "PARLEY_BACKUP says how often, and PARLEY_BACKUP_AT says when. Set one of them.",
    );
  return {
    backup,
    backupS3: backup === undefined ? undefined : readTargetS3(backup, text, "PARLEY_BACKUP"),
    backupKey: readBackupKey(text("PARLEY_BACKUP_KEY")),
    backupAt: readBackupTimes(at, every),
    backupKeep: keep === undefined ? undefined : parsed("PARLEY_BACKUP_KEEP", () => parseKeepRule(keep)),
  };
}

/** A target may say how often backups are made, as in `/mnt/backup?every=24h`. */
function splitTarget(text: string | undefined): [target: string | undefined, every: string | undefined] {
  const [, target, every] = /^(.+)\?every=([^?]*)$/.exec(text ?? "") ?? [];
  return target === undefined ? [text, undefined] : [target, every];
}

function readBackupTimes(at: string | undefined, every: string | undefined): Times {
  if (every !== undefined) return parsed("PARLEY_BACKUP", () => parseInterval(every));
  return at === undefined ? DEFAULT_TIMES : parsed("PARLEY_BACKUP_AT", () => parseTimes(at));
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
function readOperatorKey(text: string | undefined): string | undefined {
  const key = readSecrets("PARLEY_OPERATOR_KEY", text)?.trim();
  if (key !== undefined && !OPERATOR_KEY.test(key))
    throw new ConfigError(
      "secret-short",
      "PARLEY_OPERATOR_KEY must have 20 to 1000 letters, digits and signs of ASCII, without spaces. Use a long random text, or @FILE with one.",
    );
  return key;
}

function parsed<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ConfigError("setting-wrong", `${name}: ${(error as Error).message}`);
  }
}

/** A request ends after five minutes, so more than a few gigabytes never arrive. */
const MAX_UPLOAD_MIB = 10_240;

function readUploadLimit(text: string | undefined): number {
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

/** Reads the files that the settings name. Throws ConfigError. */
export function readSignInTexts({ jwt, oidc }: SignInTexts): SignInTexts {
  return { jwt: readSecrets("PARLEY_JWT", jwt), oidc: readSecrets("PARLEY_OIDC", oidc) };
}

/** Throws ConfigError. */
export function parseSignIn({ jwt, oidc }: SignInTexts): Pick<Config, "jwtKeys" | "providers"> {
  return {
    jwtKeys: jwt === undefined ? new Map() : parseSecrets("PARLEY_JWT", jwt, parseJwtKeys),
    providers: oidc === undefined ? [] : parseSecrets("PARLEY_OIDC", oidc, parseProviders),
  };
}

function readSecrets(name: string, text: string | undefined): string | undefined {
  if (!text?.startsWith("@")) return text;
  try {
    return readFileSync(text.slice(1), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError("setting-file", `${name}: Its file can't be read (${code}).`);
  }
}

function parseSecrets<T>(name: string, json: string, parse: (json: string) => T): T {
  return parsed(name, () => parse(json));
}

/** Another port than the public one, so that no proxy or firewall opens both by mistake. */
function readMetrics(text: string | undefined, publicPort: number): Config["metrics"] {
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

function readPublicUrl(text: string | undefined): string | undefined {
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

/** Links in mail name the public address, and further organizations have names below it. */
function readOpenOrganizations(text: string | undefined, publicUrl: string | undefined): boolean {
  if (oneOf("PARLEY_OPEN_ORGANIZATIONS", text, ["off", "on"]) === "off") return false;
  const host = publicUrl && new URL(publicUrl).hostname;
  if (!host || isIP(host.replace(/^\[|\]$/g, "")) !== 0) {
    throw new ConfigError(
      "settings-together",
      "PARLEY_OPEN_ORGANIZATIONS needs PARLEY_PUBLIC_URL with a host name, below which each organization gets a name.",
    );
  }
  return true;
}

function readProxies(text: string | undefined): string[] {
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

function readOutgoingAllow(text: string | undefined, isDevelopment: boolean): readonly string[] {
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

/** The address may contain a password, so the message does not repeat it. */
function checkNatsUrl(text: string | undefined): string | undefined {
  if (text === undefined || readNatsUrl(text)) return text;
  throw new ConfigError(
    "setting-wrong",
    "PARLEY_NATS_URL must have the form nats://user:password@host:4222, or be several such addresses separated by commas.",
  );
}

/** Whether only this machine can reach a server that listens on this address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The first choice is the default. */
function readLogRequests(text = "off"): number {
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

function oneOf<const Choices extends readonly [string, ...string[]]>(
  name: string,
  text: string | undefined,
  choices: Choices,
): Choices[number] {
  if (text === undefined) return choices[0];
  if (choices.includes(text)) return text;
  throw new ConfigError("setting-wrong", `${name} is '${text}', but must be ${choices.join(" or ")}.`);
}
