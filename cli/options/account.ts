import os from "node:os";
import path from "node:path";
import { devFetchApiKey } from "../../api/accounts/sign-in.ts";
import { CallError } from "../../client/call-error.ts";
import { Connection } from "../../client/connection.ts";
import { readConfig } from "../../server/config.ts";
import { serverVersion } from "../../server/version.ts";
import { CommandError, localSite, UsageError } from "../command.ts";
import { type Account, parseSite, readZuliprc } from "./zuliprc.ts";

/** The options of commands that act as an account. */
export const accountOptions = {
  as: { value: "EMAIL", description: "Act as this person or bot; on the server's own machine." },
  zuliprc: { value: "FILE", description: "Act as the account in this file." },
} as const;

export const accountDetails = `
The account comes from --as, --zuliprc, or PARLEY_EMAIL and PARLEY_API_KEY. Without these it comes from
the file zuliprc in this folder, or from ~/.zuliprc. On a development server on this machine you act as
Ada (ada@demo.test) if none is given. The server is PARLEY_SITE, or the one at PARLEY_HOST and
PARLEY_PORT; a zuliprc file names its own.`;

const DEMO_OWNER = "ada@demo.test";

/** Connects as the account named by the options, the environment or a file, in this order. */
export async function connect(
  chosen: { as?: string; zuliprc?: string },
  environment: NodeJS.ProcessEnv,
): Promise<{ connection: Connection; account: Account }> {
  const account = await findAccount(chosen, environment);
  const { site, email, apiKey } = account;
  const userAgent = `ParleyTerminal/${serverVersion.replace(/^.*parley-/, "")}`;
  return { account, connection: new Connection({ site, credentials: { email, apiKey }, userAgent }) };
}

async function findAccount(
  { as, zuliprc }: { as?: string; zuliprc?: string },
  environment: NodeJS.ProcessEnv,
): Promise<Account> {
  const chosenSite = environment.PARLEY_SITE?.trim();
  const site = chosenSite ? parseSite(chosenSite) : localSite(readConfig(environment));
  if (as !== undefined && zuliprc !== undefined) throw new UsageError("Give --as or --zuliprc, not both.");
  if (zuliprc !== undefined) {
    const account = readZuliprc(zuliprc);
    if (!account) throw new CommandError("file-missing", `--zuliprc: there is no file ${zuliprc}.`);
    return account;
  }
  if (as !== undefined) return actAs(site, as, environment);
  return (
    fromEnvironment(site, environment) ??
    fromFile("zuliprc", (file) => !chosenSite || isSame(file, site)) ??
    // People try things out on this machine's server. An account elsewhere must not be used in its place.
    fromFile(homeFile(), (file) => isSame(file, site)) ??
    (await fromDevelopmentServer(site, DEMO_OWNER)) ??
    fromFile(homeFile(), () => !chosenSite) ??
    explainNoAccount(site)
  );
}

function fromEnvironment(site: string, environment: NodeJS.ProcessEnv): Account | undefined {
  const email = environment.PARLEY_EMAIL?.trim();
  const apiKey = environment.PARLEY_API_KEY?.trim();
  if (email && apiKey) return { site, email, apiKey };
  if (email || apiKey)
    throw new CommandError(
      "settings-together",
      "PARLEY_EMAIL and PARLEY_API_KEY belong together. Set both, or neither.",
    );
  return undefined;
}

function fromFile(file: string, fits: (account: Account) => boolean): Account | undefined {
  const account = readZuliprc(file);
  return account && fits(account) ? account : undefined;
}

function homeFile(): string {
  return path.join(os.homedir(), ".zuliprc");
}

function isSame(account: Account, site: string): boolean {
  return new URL(account.site).origin === new URL(site).origin;
}

/** A development server gives out any key. Elsewhere the key comes from the database, if it is readable. */
async function actAs(site: string, email: string, environment: NodeJS.ProcessEnv): Promise<Account> {
  const account = await fromDevelopmentServer(site, email);
  if (account) return account;
  const { readApiKey } = await import("../commands/api-key.ts");
  return { ...(await readApiKey(environment, { email, host: new URL(site).hostname })), site };
}

/** undefined if the server is not a development server, or has no account with this address. */
export async function fromDevelopmentServer(
  site: string,
  email: string,
  timeoutMs?: number,
): Promise<Account | undefined> {
  try {
    const answer = await new Connection({ site, ...(timeoutMs && { timeoutMs }) }).call(devFetchApiKey, {
      username: email,
    });
    return { site, email: answer.email, apiKey: answer.api_key };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.failure.kind === "api") return undefined;
    if (error.failure.kind === "network" && error.failure.timedOut) {
      throw new CommandError(
        "server-away",
        `The server at ${site} takes connections and does not answer. parley doctor says more.`,
        { cause: error },
      );
    }
    throw new CommandError(
      "server-away",
      `No server answers at ${site}. Start one (npm start, or npm run demo), or set PARLEY_SITE to the address of another.`,
      { cause: error },
    );
  }
}

function explainNoAccount(site: string): never {
  throw new CommandError(
    "not-signed-in",
    `Not signed in to ${site}. Use --as EMAIL (on the server's own machine) or --zuliprc FILE, or set PARLEY_EMAIL and PARLEY_API_KEY.`,
  );
}
