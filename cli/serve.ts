import { readConfig } from "../server/config.ts";
import { runServer } from "../server/main.ts";
import { banner } from "./banner.ts";
import { checkBeforeStart } from "./before-start.ts";
import { command } from "./command.ts";
import { invitation } from "./invitation.ts";

export const serve = command({
  usage: ["serve"],
  details: `
Runs the server, in production mode unless PARLEY_ENV says otherwise, on the PostgreSQL that comes
with it unless DATABASE_URL names another. While there is no organization it prints a link that
creates one. SIGTERM and SIGINT stop it within five seconds; a second signal stops it at once.
docs/running.md lists the settings.`,
  options: {},
  words: { min: 0, max: 0 },
  async run({ environment }) {
    const config = readConfig(environment);
    await checkBeforeStart(config);
    return runServer(config, {
      announce: async (services, url) => [
        ...banner(config),
        ...(await invitation(services, config.publicUrl ?? url)),
      ],
    });
  },
});
