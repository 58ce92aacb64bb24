import { regenerateApiKey } from "../../server/people/actions.ts";
import { showApiKey } from "../../server/people/credentials.ts";
import { runContentChange, runStateChange } from "../../server/platform/log/change.ts";
import { command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findPerson, hostOption, siteOf } from "../options/people.ts";
import { type Account, checkNoFile, formatZuliprc, writeZuliprc } from "../options/zuliprc.ts";

export const apiKey = command({
  usage: ["api-key EMAIL [--zuliprc [FILE]] [--regenerate]"],
  details: `
Prints the API key of a person or bot. With HTTP Basic authentication the email address is the user
name and the key is the password. With --zuliprc it prints, or writes to FILE, what API clients and
parley's own --zuliprc read: the address of the server, the email address and the key.`,
  options: {
    zuliprc: {
      value: "FILE",
      isValueOptional: true,
      description: "Print a zuliprc, or write it to a new file that only you can read.",
    },
    regenerate: { description: "Replace the key first; the old one stops working at once." },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 1, max: 1 },
  async run({ values, words, environment }) {
    const [email = ""] = words;
    const { zuliprc: file } = values;
    if (file) checkNoFile(file);
    const account = await readApiKey(environment, { email, host: values.host, isNew: values.regenerate });
    const { email: address, apiKey: key, site } = account;
    if (file) writeZuliprc(file, account);
    const wrote = `Wrote ${file}, for ${address} at ${site}.\n`;
    const text = file === undefined ? `${key}\n` : file === "" ? formatZuliprc(account) : wrote;
    print(values, text, { email: address, site, ...(file ? { zuliprc: file } : { api_key: key }) });
    return exitCodes.ok;
  },
});

/** Reads an account's key from the installation's database; `isNew` replaces the key first. */
export function readApiKey(
  environment: NodeJS.ProcessEnv,
  { email, host, isNew = false }: { email: string; host?: string | undefined; isNew?: boolean | undefined },
): Promise<Account> {
  return withInstallation(environment, async (services) => {
    const state = await findOrganization(services, host);
    const user = findPerson(state, email);
    const site = await siteOf(services, state);
    if (isNew) {
      const key = await runStateChange(state, (tx) =>
        regenerateApiKey(tx, services.keyring, findPerson(state, email).id),
      );
      return { site, email: user.email, apiKey: key };
    }
    const key = await runContentChange(state, (tx) => showApiKey(tx, services.keyring, user.id));
    return { site, email: user.email, apiKey: key };
  });
}
