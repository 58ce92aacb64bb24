import { type Config, isLoopback } from "../../server/config.ts";
import { findSecret } from "../../server/platform/crypto/secret.ts";
import { readCertificate } from "../../server/platform/tls/certificate.ts";
import { certificateFilesOf, hostOf } from "../../server/platform/tls/certificate-files.ts";
import { ConfigError } from "../../server/setting-values.ts";
import { describePlace, waitForDatabase } from "../installation/database-check.ts";

/** Finds mistakes in the settings before anything is started or written. */
export async function checkBeforeStart(config: Config, environment: NodeJS.ProcessEnv): Promise<void> {
  for (const [, check] of settingChecks(config, environment)) check();
  if (config.databaseUrl !== undefined) {
    await waitForDatabase(config.databaseUrl, (sentence) => process.stderr.write(`${sentence}\n`));
  }
}

/**
 * What a start asks of settings that can be read, each by the setting to which it belongs. A check throws a
 * FaultError. It reads files and makes none.
 */
export function settingChecks(
  config: Config,
  environment: NodeJS.ProcessEnv,
): [setting: string, check: () => void][] {
  const { secret, databaseUrl, publicUrl, tls } = config;
  return [
    ["PARLEY_HOST", () => checkReach(config, environment.PARLEY_DEV_OPEN?.trim())],
    [
      "DATABASE_URL",
      () => {
        if (databaseUrl !== undefined) describePlace(databaseUrl);
      },
    ],
    [
      "PARLEY_SECRET",
      () => {
        // Otherwise it is in a file, which the start of the database looks at.
        if (secret !== undefined || databaseUrl !== undefined) findSecret(config);
      },
    ],
    [
      "PARLEY_TLS",
      () => {
        // An authority's certificate may be on its way. One that somebody else puts there has to be there.
        const files = tls?.kind === "file" ? certificateFilesOf(config) : undefined;
        if (files) readCertificate(files, hostOf(publicUrl));
      },
    ],
  ];
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
