/** The names of settings, and what the first lines of a server say of one that is misspelt. */
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

/**
 * A sentence for each variable whose name is nearly that of a setting. Others may belong to another program.
 * No sentence has a value, which may be a secret.
 */
export function describeMisspelt(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(environment).flatMap((variable) => {
    const name = variable.startsWith(PREFIX) ? variable.slice(PREFIX.length) : "";
    if (name === "" || settingNames.includes(name)) return [];
    const meant = closest(name, settingNames);
    return meant ? [`${variable} is no setting, so it is ignored. Is ${PREFIX}${meant} meant?`] : [];
  });
}
