import { isIP } from "node:net";
import { resolve } from "node:path";
import { type KeepRule, parseKeepRule } from "./platform/backup/keep-rule.ts";
import { DEFAULT_TIMES, parseInterval, parseTimes, type Times } from "./platform/backup/times.ts";
import { type JwtKeys, parseJwtKeys } from "./platform/crypto/jwt-keys.ts";
import { readS3Settings, type S3Settings } from "./platform/file-storage/s3-settings.ts";
import { readSender, readSmtpUrl, type Sender, type SmtpSettings } from "./platform/mail/sender.ts";
import { parseProviders, type SignInProvider } from "./platform/oidc/providers.ts";
import { parseTls, type TlsSettings } from "./platform/tls/settings.ts";
import {
  ConfigError,
  checkNatsUrl,
  oneOf,
  parsed,
  parseSecrets,
  readBackupKey,
  readLogRequests,
  readMetrics,
  readOperatorKey,
  readOutgoingAllow,
  readPort,
  readProxies,
  readPublicUrl,
  readSecrets,
  readTargetS3,
  readUploadLimit,
} from "./setting-values.ts";

export interface DemoAccount {
  email: string;
  fullName: string;
  title: "owner" | "administrator" | "moderator" | "member" | "guest";
  password: string;
}

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
  /** `parley demo` sets whom its page for signing in lets in by a press. */
  demoAccounts?: readonly DemoAccount[];
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
    `PARLEY_FILES${place.includes("@") ? "" : ` is '${place}', but`} must be the path of a directory, or have the form s3://bucket/prefix.`,
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

/** Whether only this machine can reach a server that listens on this address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
