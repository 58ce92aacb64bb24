import type { Logger } from "pino";
import { type Config, parseSignIn, readSignInTexts, type SignInTexts } from "../config.ts";
import { ConfigError } from "../setting-values.ts";
import type { ServiceManager } from "./service-manager.ts";

/**
 * SIGHUP reads the files again that PARLEY_JWT and PARLEY_OIDC name. A file that is wrong changes nothing.
 * The other settings come from the environment, which a process can't read again.
 */
export function reloadOnHangup(
  config: Config,
  log: Logger,
  manager: Pick<ServiceManager, "reload">,
  onReload: (signInTexts: SignInTexts) => void = () => {},
): void {
  const read = () => {
    try {
      const signInTexts = readSignInTexts(config.signInSources);
      Object.assign(config, { signInTexts }, parseSignIn(signInTexts));
      onReload(signInTexts);
      log.info(
        "SIGHUP: the files of PARLEY_JWT and PARLEY_OIDC were read again, other settings need a start",
      );
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      log.error(`SIGHUP: nothing was changed. ${error.message}`);
    }
  };
  process.on("SIGHUP", () => manager.reload(read));
}
