import { readConfig } from "../../server/config.ts";
import { browsableAddress } from "../../server/process/address.ts";
import { runServer, type ServerHooks } from "../../server/process/single.ts";
import { command, UsageError } from "../command.ts";
import { checkChosenFolder } from "../installation/own-folder.ts";
import { becomeOwner } from "../installation/owner.ts";
import { banner } from "../start/banner.ts";
import { checkBeforeStart } from "../start/before-start.ts";
import { invitation } from "../start/invitation.ts";
import { checkSettingNames, describeServiceLinks } from "../start/setting-names.ts";
import { describeWaitingMails } from "../start/waiting-mails.ts";

export const serve = command({
  usage: ["serve [--workers N]"],
  details: `
Runs the server, in production mode unless PARLEY_ENV says otherwise. It uses the bundled PostgreSQL
unless DATABASE_URL names another. While there is no organization it prints a link that creates one.
SIGTERM and SIGINT stop it within five seconds; a second signal stops it at once. docs/running.md
lists the settings, and docs/scaling.md says when more processes help.`,
  options: {
    workers: {
      value: "N",
      description: "Serve one port with N processes, for machines with more processors.",
    },
  },
  settings: ["data-dir", "host", "port", "public-url"],
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    const workers = readWorkers(values.workers);
    checkSettingNames(environment);
    const config = readConfig(environment);
    const links = describeServiceLinks(environment);
    checkChosenFolder(config, environment);
    becomeOwner(config.dataDir);
    await checkBeforeStart(config, environment);
    const hooks: ServerHooks = {
      announce: async (services, url) => [
        ...banner(config),
        ...(links === undefined ? [] : [links]),
        ...(workers > 1 ? [`  workers   ${workers}`] : []),
        ...(await describeWaitingMails(services)),
        ...(await invitation(services, config.publicUrl ?? browsableAddress(url))),
      ],
    };
    if (workers === 1) return runServer(config, hooks);
    const { runWorkers } = await import("../../server/process/cluster.ts");
    return runWorkers(config, workers, hooks);
  },
});

const MAX_WORKERS = 64;

function readWorkers(text: string | undefined): number {
  if (text === undefined) return 1;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_WORKERS) return count;
  throw new UsageError(`--workers is '${text}', but must be a whole number from 1 to ${MAX_WORKERS}.`);
}
