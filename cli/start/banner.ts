import { join } from "node:path";
import type { Config } from "../../server/config.ts";
import { isCopy } from "../../server/platform/backup/copy-mark.ts";
import { needsSharedFiles } from "../../server/platform/file-storage/open-storage.ts";
import { describeS3 } from "../../server/platform/file-storage/s3-settings.ts";
import { serverVersion } from "../../server/version.ts";
import { needsProxies } from "../doctor/checks.ts";
import { describePlace } from "../installation/database-check.ts";

/** The first lines that a server prints: its version and mode, and where its data is. */
export function banner(config: Config): string[] {
  const mode = config.isDevelopment ? "development" : "production";
  const database =
    config.databaseUrl === undefined
      ? `embedded PostgreSQL in ${join(config.dataDir, "postgres")}`
      : `PostgreSQL at ${describePlace(config.databaseUrl)}`;
  const isOpen = ["0.0.0.0", "::"].includes(config.host);
  return [
    `Parley ${serverVersion.replace(/^.*parley-/, "")}, ${mode} mode`,
    `  data      ${config.dataDir}`,
    `  database  ${database}`,
    ...(isCopy(config.dataDir)
      ? [
          `  note      a copy: no mail, webhooks or scheduled messages before ${join(config.dataDir, "copy")} is deleted and this is restarted`,
        ]
      : []),
    ...(config.s3 ? [`  files     ${describeS3(config.s3)}`] : []),
    ...(config.publicUrl ? [`  address   ${config.publicUrl}`] : []),
    ...(isOpen && !config.publicUrl
      ? ["  note      other machines need a known name to connect: set PARLEY_PUBLIC_URL"]
      : []),
    ...(needsSharedFiles(config)
      ? ["  note      other servers on this database can't see the files here: set PARLEY_FILES"]
      : []),
    ...(needsProxies(config)
      ? ["  note      all people share one rate limit: name your proxy in PARLEY_TRUSTED_PROXIES"]
      : []),
  ];
}
