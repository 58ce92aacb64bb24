import { roles } from "../../../api/roles.ts";
import type { Config } from "../../config.ts";
import { listKeysOfBots } from "../../people/credentials.ts";
import type { User } from "../../people/user.ts";
import type { Change } from "../../platform/log/change.ts";
import { headerText } from "../../platform/mail/mail.ts";
import { listInvitations } from "../invitations/store.ts";
import { listPasskeys } from "../passkeys/passkey-store.ts";
import { nameOf } from "../providers/identities.ts";
import { listIdentities } from "../providers/store.ts";

/** A sentence of a mail, and what it lists below. */
export interface MailedList {
  sentence: string;
  items: readonly string[];
}

const OF_ADMINISTRATORS: MailedList = {
  sentence:
    "As an administrator you can get keys of other people's bots with your API key. Think of these bots as well.",
  items: [],
};

/** More of a kind are only counted. */
const MAX_ITEMS = 20;

/**
 * What still enters an account after its password or second steps were reset. Somebody who was in may have
 * taken or added it: keys of bots, which an API key can read; passkeys; identities of providers; invitations.
 * It goes on because programs and people rely on it, so its owner is told. The newest keys come first.
 */
export async function listRemainingWays(
  tx: Change,
  { config }: { config: Pick<Config, "providers"> },
  user: User,
): Promise<MailedList[]> {
  const { organizationId } = tx.state;
  const bots = await listKeysOfBots(tx, user.id);
  const passkeys = await listPasskeys(tx, organizationId, user.id);
  const identities = await listIdentities(tx, organizationId, user.id);
  const invitations = await listInvitations(tx, organizationId, user.id);
  const lists = [
    {
      sentence:
        "These bots of yours go on with their keys. Anyone who had your API key could read them or make bots. Deactivate what is not yours, and replace the keys of the others: in your settings, under My bots.",
      items: bots.map((bot) => `${bot.fullName} (${bot.email}), key of ${dayOf(bot.since)}`),
    },
    {
      sentence:
        "These passkeys still sign in. Remove what is not yours: in your settings, under Second steps.",
      items: passkeys.map(({ name, createdAt }) => `${headerText(name)}, added on ${dayOf(createdAt)}`),
    },
    {
      sentence:
        "These accounts at providers still sign in to yours. Remove what is not yours: in your settings, under Second steps.",
      items: identities.map(
        ({ providerId, connectedAt }) => `${nameOf(config, providerId)}, connected on ${dayOf(connectedAt)}`,
      ),
    },
    {
      sentence:
        "New people can still join by these invitations of yours. Revoke what you have not sent: in the organization's settings, under Invitations.",
      items: invitations.map(
        ({ email, invitedAt }) => `${email ?? "a link for many people"}, made on ${dayOf(invitedAt)}`,
      ),
    },
  ]
    .filter(({ items }) => items.length > 0)
    .map(({ sentence, items }) => ({ sentence, items: shortened(items) }));
  return user.role <= roles.administrator ? [...lists, OF_ADMINISTRATORS] : lists;
}

function shortened(items: readonly string[]): readonly string[] {
  if (items.length <= MAX_ITEMS) return items;
  return [...items.slice(0, MAX_ITEMS), `and ${items.length - MAX_ITEMS} more`];
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);
