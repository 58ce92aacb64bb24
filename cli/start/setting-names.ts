/** The names of settings, and what is said of a variable that looks like one. */
import { ConfigError, isServiceLink } from "../../server/setting-values.ts";
import { closest } from "../suggest.ts";

const PREFIX = "PARLEY_";

/** Without the prefix. Commands read some of them, and the server the rest. */
export const settingNames: readonly string[] = [
  "API_KEY",
  "AVATAR_CHANGES",
  "BACKUP",
  "BACKUP_AT",
  "BACKUP_KEEP",
  "BACKUP_KEY",
  "DATA_DIR",
  "DEV_OPEN",
  "EMAIL",
  "ENV",
  "FILES",
  "HOST",
  "HTTP_PORT",
  "JWT",
  "LOG",
  "LOG_REQUESTS",
  "MAIL_FROM",
  "MAX_UPLOAD_MIB",
  "METRICS",
  "NATS_URL",
  "OIDC",
  "OPEN_ORGANIZATIONS",
  "OPERATOR_KEY",
  "OUTGOING_ALLOW",
  "OWNER_EMAIL",
  "OWNER_NAME",
  "OWNER_PASSWORD",
  "PORT",
  "PUBLIC_URL",
  "RATE_LIMITS",
  "SECRET",
  "SITE",
  "SMTP_URL",
  "TLS",
  "TRUSTED_PROXIES",
  "USER_PASSWORD",
  "WEB_PUBLIC_STREAMS",
];

const MADE_BY_KUBERNETES =
  /^PARLEY_(?:[A-Z0-9_]+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;

/** Variables with our prefix that nothing reads, in order. `isLink`: Kubernetes makes it for a service. */
function listUnknown(environment: NodeJS.ProcessEnv): { variable: string; isLink: boolean }[] {
  const variables = Object.keys(environment).filter((variable) => {
    const name = variable.startsWith(PREFIX) ? variable.slice(PREFIX.length) : "";
    return name !== "" && !settingNames.includes(name);
  });
  return variables.sort().map((variable) => {
    const isPort = variable.endsWith("_PORT") && isServiceLink(environment[variable] ?? "");
    return { variable, isLink: isPort || MADE_BY_KUBERNETES.test(variable) };
  });
}

/** A sentence about variables that are no settings, or undefined. It has no value, which may be a secret. */
export function describeUnknown(environment: NodeJS.ProcessEnv): string | undefined {
  const unknown = listUnknown(environment).filter(({ isLink }) => !isLink);
  if (unknown.length === 0) return undefined;
  const sentences = unknown.map(({ variable }) => {
    const meant = closest(variable.slice(PREFIX.length), settingNames);
    return `${variable} is no setting${meant ? `, perhaps ${PREFIX}${meant} is meant` : ""}.`;
  });
  return `${sentences.join(" ")} Correct the name, or remove the line if the setting is of another release.`;
}

/**
 * A server without a setting that somebody believes to be set may be open, or keep no backups. Throws a
 * ConfigError.
 */
export function checkSettingNames(environment: NodeJS.ProcessEnv): void {
  const unknown = describeUnknown(environment);
  if (unknown !== undefined) throw new ConfigError("setting-unknown", unknown);
}

/** A line about what Kubernetes sets, for those who wonder at the names. undefined: it sets nothing. */
export function describeServiceLinks(environment: NodeJS.ProcessEnv): string | undefined {
  const links = listUnknown(environment).filter(({ isLink }) => isLink);
  if (links.length === 0) return undefined;
  const more = links.length > 1 ? ` and ${links.length - 1} more` : "";
  return `${links[0]?.variable}${more}: set by Kubernetes for a service, and ignored. enableServiceLinks: false in the pod ends that.`;
}
