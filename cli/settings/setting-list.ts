/**
 * Every setting, once, in the order of docs/running.md. Tests compare this list with what the code reads and
 * with that page.
 */
import type { Config } from "../../server/config.ts";
import { DEFAULT_TIMES } from "../../server/platform/backup/times.ts";
import { filesDirectory } from "../../server/platform/file-storage/open-storage.ts";
import { localSite } from "../command.ts";

export interface Setting {
  /** The name of the variable. */
  name: string;
  /** A secret is never printed. An address may have a password in it. */
  kind?: "secret" | "address";
  /** The value may be `@FILE`; the server reads the file at its start, or at each SIGHUP too. */
  file?: "at start" | "at SIGHUP";
  /** What holds, whether it is set or not. undefined, or without this: what is set, or nothing. */
  inForce?(config: Config): string | undefined;
}

const onOff = (isOn: boolean) => (isOn ? "on" : "off");
const listed = (all: readonly string[]) => (all.length === 0 ? undefined : all.join(","));

/** What the server reads. */
export const serverSettings: readonly Setting[] = [
  { name: "PARLEY_HOST", inForce: ({ host }) => host },
  { name: "PARLEY_PORT", inForce: ({ port }) => String(port) },
  { name: "PARLEY_PUBLIC_URL", kind: "address", inForce: (config) => config.publicUrl ?? localSite(config) },
  { name: "PARLEY_TLS" },
  { name: "PARLEY_HTTP_PORT", inForce: ({ httpPort }) => httpPort?.toString() },
  { name: "PARLEY_TRUSTED_PROXIES", inForce: ({ trustedProxies }) => listed(trustedProxies) },
  { name: "PARLEY_OUTGOING_ALLOW", inForce: ({ outgoingAllow }) => listed(outgoingAllow) },
  { name: "PARLEY_DATA_DIR", inForce: ({ dataDir }) => dataDir },
  { name: "DATABASE_URL", kind: "address" },
  { name: "PARLEY_NATS_URL", kind: "address" },
  { name: "PARLEY_SECRET", kind: "secret" },
  { name: "PARLEY_SMTP_URL", kind: "address" },
  { name: "PARLEY_MAIL_FROM" },
  {
    name: "PARLEY_FILES",
    kind: "address",
    inForce: (config) => (config.s3 ? undefined : filesDirectory(config)),
  },
  { name: "AWS_ACCESS_KEY_ID", kind: "secret" },
  { name: "AWS_SECRET_ACCESS_KEY", kind: "secret" },
  { name: "AWS_SESSION_TOKEN", kind: "secret" },
  { name: "AWS_REGION", inForce: ({ s3, backupS3 }) => (s3 ?? backupS3)?.region },
  { name: "AWS_ENDPOINT_URL", kind: "address" },
  { name: "PARLEY_BACKUP", kind: "address" },
  { name: "PARLEY_BACKUP_AT", inForce: backupTimes },
  { name: "PARLEY_BACKUP_KEY", kind: "secret", file: "at start" },
  { name: "PARLEY_BACKUP_KEEP" },
  { name: "PARLEY_MAX_UPLOAD_MIB", inForce: ({ maxUploadMib }) => String(maxUploadMib) },
  { name: "PARLEY_ENV", inForce: ({ isDevelopment }) => (isDevelopment ? "development" : "production") },
  { name: "PARLEY_AVATAR_CHANGES", inForce: ({ hasAvatarChanges }) => onOff(hasAvatarChanges) },
  { name: "PARLEY_OPEN_ORGANIZATIONS", inForce: ({ hasOpenOrganizations }) => onOff(hasOpenOrganizations) },
  { name: "PARLEY_WEB_PUBLIC_STREAMS", inForce: ({ webPublicStreams }) => onOff(webPublicStreams) },
  { name: "PARLEY_DEV_OPEN" },
  { name: "PARLEY_RATE_LIMITS", inForce: ({ hasRateLimits }) => onOff(hasRateLimits) },
  { name: "PARLEY_JWT", kind: "secret", file: "at SIGHUP" },
  { name: "PARLEY_OIDC", kind: "secret", file: "at SIGHUP" },
  { name: "PARLEY_METRICS" },
  { name: "PARLEY_OPERATOR_KEY", kind: "secret", file: "at start" },
  { name: "PARLEY_LOG", inForce: ({ logLevel }) => logLevel },
  { name: "PARLEY_LOG_REQUESTS", inForce: ({ logRequests }) => (logRequests === 0 ? "off" : undefined) },
];

/** What commands read besides. */
export const commandSettings: readonly Setting[] = [
  { name: "PARLEY_SITE", kind: "address" },
  { name: "PARLEY_EMAIL" },
  { name: "PARLEY_API_KEY", kind: "secret" },
  { name: "PARLEY_OWNER_NAME" },
  { name: "PARLEY_OWNER_EMAIL" },
  { name: "PARLEY_OWNER_PASSWORD", kind: "secret" },
  { name: "PARLEY_USER_PASSWORD", kind: "secret" },
];

/** undefined: `?every=` in PARLEY_BACKUP says how often, or there are no backups. */
function backupTimes({ backup, backupAt }: Config): string | undefined {
  return backup !== undefined && backupAt === DEFAULT_TIMES ? "03:00" : undefined;
}
