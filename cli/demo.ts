import { rmSync } from "node:fs";
import { type Config, readConfig } from "../server/config.ts";
import { DEMO_PASSWORD, people } from "../server/features/demo/cast.ts";
import { createDemo } from "../server/features/demo/create-demo.ts";
import { makeTemporaryDirectory } from "../server/platform/postgres/throw-away.ts";
import { runServer } from "../server/process/single.ts";
import { banner } from "./banner.ts";
import { checkBeforeStart } from "./before-start.ts";
import { command } from "./command.ts";

export const demo = command({
  usage: ["demo"],
  details: `
Runs a development server with a demo organization: people, channels and messages to try things out
on. Its data lies in a temporary directory that goes at the end, unless PARLEY_DATA_DIR names one;
there it stays, and the next start goes on with it.`,
  options: {},
  words: { min: 0, max: 0 },
  async run({ environment }) {
    const config = readConfig({ PARLEY_WEB_PUBLIC_STREAMS: "on", ...environment, PARLEY_ENV: "development" });
    await checkBeforeStart(config);
    const isTemporary = !environment.PARLEY_DATA_DIR?.trim();
    if (isTemporary) config.dataDir = makeTemporaryDataDirectory();
    return runServer(config, {
      prepare: (services) => createDemo(services, hostOf(config)),
      announce: async (_services, url) => [
        ...banner(config),
        ...(isTemporary ? [GOES] : []),
        ...guide(config, url),
      ],
    });
  },
});

const GOES = "            (temporary: it goes when the server stops)";

/** Removed however the process ends, unless it is killed. */
function makeTemporaryDataDirectory(): string {
  const dir = makeTemporaryDirectory("parley-demo-");
  process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** The name under which the organization is created; the loopback names lead to it in any case. */
function hostOf({ publicUrl, host }: Config): string {
  if (publicUrl) return new URL(publicUrl).hostname;
  const isGeneral = ["0.0.0.0", "::", "::1", "localhost"].includes(host) || host.startsWith("127.");
  return isGeneral ? "localhost" : host;
}

function guide(config: Config, url: string): string[] {
  const width = Math.max(...Object.values(people).map(({ email }) => email.length));
  const settings = url.endsWith(":9991") ? "" : `PARLEY_PORT=${new URL(url).port} `;
  return [
    "",
    `Open ${config.publicUrl ?? url}. Everyone's password is ${DEMO_PASSWORD}:`,
    ...Object.values(people).map(
      ({ email, fullName, title }) => `  ${email.padEnd(width)}  ${fullName}, ${title}`,
    ),
    "",
    "In two more terminals:",
    `  ${settings}npx parley tail`,
    `  ${settings}npx parley send general lunch "Soup or salad?"`,
    "",
  ];
}
