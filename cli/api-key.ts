import { presentApiKey } from "../server/features/auth/sign-in.ts";
import { giveApiKey } from "../server/features/users/actions.ts";
import { runStateChange } from "../server/platform/log/change.ts";
import { command, exitCodes } from "./command.ts";
import { withInstallation } from "./installation.ts";
import { findOrganization, findPerson, hostOption } from "./people.ts";

export const apiKey = command({
  usage: ["api-key EMAIL [--regenerate]"],
  details: `
Prints the API key of a person or bot. With HTTP Basic authentication the email address is the user
name and the key is the password.`,
  options: {
    regenerate: { description: "Replace the key first; the old one stops working at once." },
    host: hostOption,
  },
  words: { min: 1, max: 1 },
  async run({ values, words, environment }) {
    const [email = ""] = words;
    const account = await readApiKey(environment, { email, host: values.host, isNew: values.regenerate });
    process.stdout.write(`${account.apiKey}\n`);
    return exitCodes.ok;
  },
});

/** Reads an account's key from the installation's database; `isNew` replaces the key first. */
export function readApiKey(
  environment: NodeJS.ProcessEnv,
  { email, host, isNew = false }: { email: string; host?: string | undefined; isNew?: boolean | undefined },
): Promise<{ email: string; apiKey: string }> {
  return withInstallation(environment, async (services) => {
    const state = await findOrganization(services, host);
    const user = findPerson(state, email);
    if (isNew) {
      const key = await runStateChange(state, (tx) =>
        giveApiKey(tx, services.keyring, findPerson(state, email).id),
      );
      return { email: user.email, apiKey: key };
    }
    const { api_key: key } = await presentApiKey(state, services.keyring, user);
    return { email: user.email, apiKey: key };
  });
}
