import { rmSync } from "node:fs";
import { type Config, isLoopback, readConfig } from "../../server/config.ts";
import { makeTemporaryDirectory } from "../../server/platform/postgres/throw-away.ts";
import { runServer } from "../../server/process/single.ts";
import { DEMO_PASSWORD, people } from "../../server/website/demo/cast.ts";
import { createDemo } from "../../server/website/demo/create-demo.ts";
import { command } from "../command.ts";
import { becomeOwner } from "../installation/owner.ts";
import { banner } from "../start/banner.ts";
import { checkBeforeStart } from "../start/before-start.ts";

export const demo = command({
  usage: ["demo"],
  details: `
Runs a development server with a demo organization: people, channels and messages to try things out
with. Its data is in a temporary directory, which is removed at the end. Set PARLEY_DATA_DIR to keep
the data in a directory of your own; the next start then continues with it.`,
  options: {},
  settings: ["data-dir", "host", "port", "public-url"],
  words: { min: 0, max: 0 },
  async run({ environment }) {
    const config = readConfig({ PARLEY_WEB_PUBLIC_STREAMS: "on", ...environment, PARLEY_ENV: "development" });
    config.demoAccounts = Object.values(people).map((one) => ({ ...one, password: DEMO_PASSWORD }));
    const isTemporary = !environment.PARLEY_DATA_DIR?.trim();
    if (!isTemporary) becomeOwner(config.dataDir);
    await checkBeforeStart(config, environment);
    if (isTemporary) config.dataDir = makeTemporaryDataDirectory();
    return runServer(config, {
      prepare: (services) => createDemo(services, hostOf(config)),
      announce: async (_services, url) => [
        ...banner(config),
        ...(isTemporary ? [TEMPORARY] : []),
        ...guide(config, url),
      ],
    });
  },
});

const TEMPORARY = "            (temporary: removed when the server stops)";

/** The directory is removed whenever the process ends, unless it is killed. */
function makeTemporaryDataDirectory(): string {
  const dir = makeTemporaryDirectory("parley-demo-");
  process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** The host name of the organization. The loopback names always lead to it as well. */
function hostOf({ publicUrl, host }: Config): string {
  if (publicUrl) return new URL(publicUrl).hostname;
  const isLocal = ["0.0.0.0", "::"].includes(host) || isLoopback(host);
  return isLocal ? "localhost" : host;
}

function guide(config: Config, url: string): string[] {
  const width = Math.max(...Object.values(people).map(({ email }) => email.length));
  const settings = url.endsWith(":9991") ? "" : `PARLEY_PORT=${new URL(url).port} `;
  return [
    "",
    `Open ${config.publicUrl ?? url} in a browser, and sign in as one of them.`,
    `Accounts, all with the password ${DEMO_PASSWORD}:`,
    ...Object.values(people).map(
      ({ email, fullName, title }) => `  ${email.padEnd(width)}  ${fullName}, ${title}`,
    ),
    "",
    "Try it in two more terminals, in Parley's folder:",
    `  ${settings}npx parley tail`,
    `  ${settings}npx parley send general welcome "Hello from the terminal!"`,
    "",
  ];
}
