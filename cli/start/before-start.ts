import { type Config, isLoopback } from "../../server/config.ts";
import { readSecret } from "../../server/platform/crypto/secret.ts";
import { readCertificate } from "../../server/platform/tls/certificate.ts";
import { certificateFilesOf, hostOf } from "../../server/platform/tls/certificate-files.ts";
import { ConfigError } from "../../server/setting-values.ts";
import { waitForDatabase } from "../installation/database-check.ts";

/** Finds mistakes in the settings before anything is started or written. */
export async function checkBeforeStart(config: Config, environment: NodeJS.ProcessEnv): Promise<void> {
  checkReach(config, environment.PARLEY_DEV_OPEN?.trim());
  // Otherwise the secret is in a file, which reading it would create.
  if (config.secret !== undefined || config.databaseUrl !== undefined) readSecret(config);
  // An authority's certificate may be on its way. One that somebody else puts there has to be there.
  const files = config.tls?.kind === "file" ? certificateFilesOf(config) : undefined;
  if (files) readCertificate(files, hostOf(config.publicUrl));
  if (config.databaseUrl !== undefined) {
    await waitForDatabase(config.databaseUrl, (sentence) => process.stderr.write(`${sentence}\n`));
  }
}

/** A development server gives the API key of any account, and so every message, to anyone who asks. */
export function checkReach(
  { host, isDevelopment }: Pick<Config, "host" | "isDevelopment">,
  isOpen: string | undefined,
): void {
  if (!isDevelopment || isLoopback(host) || isOpen === "yes") return;
  throw new ConfigError(
    "development-open",
    `PARLEY_HOST is '${host}', so other machines could reach this development server. It gives the keys of all accounts to anyone. Set PARLEY_DEV_OPEN=yes to allow that.`,
  );
}
