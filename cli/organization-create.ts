import type { Config } from "../server/config.ts";
import { organization } from "../server/features/organization/organization.ts";
import { createOrganization } from "../server/features/setup/create-organization.ts";
import type { Services } from "../server/services.ts";
import { CommandError, command, exitCodes, localSite } from "./command.ts";
import { withInstallation } from "./installation.ts";
import { ask, askNewPassword, canAsk } from "./prompt.ts";

export const organizationCreate = command({
  usage: ["organization create NAME [--host HOST]"],
  details: `
Creates an organization, with an owner and a first channel. What is not given is asked for, where
there is a terminal to ask at. The first organization of a server also answers under the server's own
names; each further one needs a host name of its own.`,
  options: {
    host: { value: "HOST", description: "The host name under which people reach it." },
    "owner-name": { value: "NAME", description: "The owner's name (or PARLEY_OWNER_NAME)." },
    "owner-email": { value: "EMAIL", description: "The owner's email address (or PARLEY_OWNER_EMAIL)." },
    "owner-password": {
      value: "PASSWORD",
      description: "The owner's password (better PARLEY_OWNER_PASSWORD: others can see options).",
    },
  },
  words: { min: 1, max: 1 },
  async run({ values, words, environment }) {
    const [name = ""] = words;
    const given = {
      fullName: values["owner-name"] ?? environment.PARLEY_OWNER_NAME,
      email: values["owner-email"] ?? environment.PARLEY_OWNER_EMAIL,
      password: values["owner-password"] ?? environment.PARLEY_OWNER_PASSWORD,
    };
    checkComplete(given);
    return withInstallation(environment, async (services) => {
      const host = await chooseHost(services, values.host);
      const owner = await askForTheRest(given);
      const { state } = await createOrganization(services, { name, host, owner });
      const { config } = services;
      process.stdout.write(`Created ${state.get(organization).name}: ${addressOf(config, host)}\n`);
      process.stdout.write(`${owner.email} signs in as its owner.\n`);
      return exitCodes.ok;
    });
  },
});

type Owner = { fullName: string; email: string; password: string };
type Given = { [K in keyof Owner]: string | undefined };

/** Without a terminal nothing can be asked: better to say so before anything is started. */
function checkComplete(given: Given): void {
  const options = { fullName: "--owner-name", email: "--owner-email", password: "PARLEY_OWNER_PASSWORD" };
  const missing = (Object.keys(options) as (keyof Owner)[])
    .filter((key) => !given[key])
    .map((key) => options[key]);
  if (missing.length === 0 || canAsk()) return;
  throw new CommandError(`Who owns it? Give ${missing.join(", ")}; there is no terminal to ask at.`);
}

async function askForTheRest(given: Given): Promise<Owner> {
  return {
    fullName: given.fullName || (await ask("The owner's name")),
    email: given.email || (await ask("The owner's email address")),
    password: given.password || (await askNewPassword("A password for the owner")),
  };
}

async function chooseHost({ organizations, config }: Services, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  if (await organizations.primary()) {
    throw new CommandError(
      "There is an organization already: give this one a host name of its own with --host HOST.",
    );
  }
  return config.publicUrl ? new URL(config.publicUrl).hostname : "localhost";
}

function addressOf(config: Config, host: string): string {
  const site = new URL(config.publicUrl ?? localSite(config));
  site.hostname = host;
  return site.origin;
}
