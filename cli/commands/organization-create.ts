import type { Config } from "../../server/config.ts";
import { parseHost, parseOrganizationName } from "../../server/organization/names.ts";
import { organization } from "../../server/organization/organization.ts";
import { parseEmail, parseFullName } from "../../server/people/names.ts";
import { parsePassword } from "../../server/platform/crypto/passwords.ts";
import type { Services } from "../../server/services.ts";
import { createOrganization } from "../../server/website/setup/create-organization.ts";
import { CommandError, command, exitCodes, localSite, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { checkValue } from "../options/check-value.ts";
import { jsonOption, print } from "../options/json.ts";
import { ask, askNewPassword, canAsk } from "../terminal/prompt.ts";

export const organizationCreate = command({
  usage: ["organization create NAME [--host HOST]"],
  details: `
Creates an organization, with an owner and a first channel. At a terminal it asks for what is not
given. The first organization of a server also answers under the server's own names; each further one
needs a host name of its own.`,
  options: {
    host: { value: "HOST", description: "The host name under which people reach it." },
    "owner-name": { value: "NAME", description: "The owner's name (or PARLEY_OWNER_NAME)." },
    "owner-email": { value: "EMAIL", description: "The owner's email address (or PARLEY_OWNER_EMAIL)." },
    "owner-password": {
      value: "PASSWORD",
      description: "The owner's password (better PARLEY_OWNER_PASSWORD: others can see options).",
    },
    json: jsonOption,
  },
  words: { min: 1, max: 1 },
  async run({ values, words, environment }) {
    const [name = ""] = words;
    checkValue("NAME", parseOrganizationName, name);
    if (values.host !== undefined) checkValue("--host", parseHost, values.host);
    const given = readOwner(values, environment);
    checkComplete(given);
    const create = async (services: CreatingServices) => {
      const host = await chooseHost(services, values.host);
      const owner = await askForTheRest(given);
      const { state } = await createOrganization(services, { name, host, owner });
      const { config } = services;
      const created = { name: state.get(organization).name, host, url: addressOf(config, host) };
      print(
        values,
        `Created ${created.name}: ${created.url}\nIts owner is ${owner.email}; parley api-key ${owner.email} prints the owner's API key.\n`,
        { ...created, owner_email: owner.email },
      );
      return exitCodes.ok;
    };
    return withInstallation(environment, create, { mayCreate: true });
  },
});

type CreatingServices = Pick<Services, "config" | "database" | "keyring" | "organizations">;
type Owner = { fullName: string; email: string; password: string };
type Given = { [K in keyof Owner]: string | undefined };

interface OwnerField {
  option: "owner-name" | "owner-email" | "owner-password";
  setting: string;
  /** The one to recommend: other users of the machine can see options. */
  preferred: string;
  question: string;
  parse(text: string): string;
}

const ownerFields: Record<keyof Owner, OwnerField> = {
  fullName: {
    option: "owner-name",
    setting: "PARLEY_OWNER_NAME",
    preferred: "--owner-name",
    question: "The owner's name",
    parse: parseFullName,
  },
  email: {
    option: "owner-email",
    setting: "PARLEY_OWNER_EMAIL",
    preferred: "--owner-email",
    question: "The owner's email address",
    parse: parseEmail,
  },
  password: {
    option: "owner-password",
    setting: "PARLEY_OWNER_PASSWORD",
    preferred: "PARLEY_OWNER_PASSWORD",
    question: "A password for the owner",
    parse: parsePassword,
  },
};
const ownerKeys = Object.keys(ownerFields) as (keyof Owner)[];

/** The owner from the options and the environment. Refuses wrong values before anything is started. */
function readOwner(
  values: Partial<Record<OwnerField["option"], string>>,
  environment: NodeJS.ProcessEnv,
): Given {
  const read = (key: keyof Owner) => {
    const { option, setting, parse } = ownerFields[key];
    const text = values[option] ?? environment[setting];
    if (text) checkValue(values[option] === undefined ? setting : `--${option}`, parse, text);
    return text;
  };
  return { fullName: read("fullName"), email: read("email"), password: read("password") };
}

/** Without a terminal nothing can be asked, so this fails before anything is started. */
function checkComplete(given: Given): void {
  const missing = ownerKeys.filter((key) => !given[key]).map((key) => ownerFields[key].preferred);
  if (missing.length === 0 || canAsk()) return;
  throw new UsageError(
    `The organization needs an owner. Give ${missing.join(", ")}: there is no terminal at which to ask.`,
  );
}

async function askForTheRest(given: Given): Promise<Owner> {
  const answer = async (key: keyof Owner, read: (question: string) => Promise<string>) => {
    const { question, parse } = ownerFields[key];
    return given[key] || checkValue(question, parse, await read(question));
  };
  return {
    fullName: await answer("fullName", ask),
    email: await answer("email", ask),
    password: await answer("password", askNewPassword),
  };
}

async function chooseHost(
  { organizations, config }: Pick<Services, "config" | "organizations">,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) return given;
  if (await organizations.primary()) {
    throw new CommandError(
      "organization-exists",
      "There is already an organization. Give this one a host name of its own with --host HOST.",
    );
  }
  return config.publicUrl ? new URL(config.publicUrl).hostname : "localhost";
}

function addressOf(config: Config, host: string): string {
  const site = new URL(config.publicUrl ?? localSite(config));
  site.hostname = host;
  return site.origin;
}
