import { DEFAULT_INVITATION_MINUTES } from "../../api/accounts/invitations.ts";
import { accessGrant } from "../../server/accounts/invitations/access.ts";
import { createInvitation } from "../../server/accounts/invitations/actions.ts";
import { parseEmail } from "../../server/people/names.ts";
import { changeContent } from "../../server/people/viewer/change.ts";
import { command, exitCodes } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { checkValue } from "../options/check-value.ts";
import { jsonOption, print } from "../options/json.ts";
import { findOrganization, findOwner, hostOption, siteOf } from "../options/people.ts";
import { parseRole, roleName } from "../options/role.ts";

export const invite = command({
  usage: ["invite EMAIL [--role ROLE]"],
  details: `
Prints a link by which one person joins with this address. Nothing is mailed: give the person the link.
It works once, within ten days, and subscribes them to the default channels.`,
  options: {
    role: { value: "ROLE", description: "owner, administrator, moderator, member (the default) or guest." },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 1, max: 1 },
  async run({ values, words, environment }) {
    const [email = ""] = words;
    checkValue("EMAIL", parseEmail, email);
    const role = parseRole(values.role ?? "member");
    const { link, expiresAt } = await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      const site = await siteOf(services, state);
      const invitedAt = new Date();
      const expiresAt = new Date(invitedAt.getTime() + DEFAULT_INVITATION_MINUTES * 60_000);
      const link = await changeContent(findOwner(state), (tx) => {
        const grant = accessGrant(tx.viewer, "addresses", {
          role,
          channelIds: [],
          groupIds: [],
          joinsDefaultChannels: true,
          welcomeText: null,
        });
        const period = { invitedAt, expiresAt };
        return createInvitation(tx, services, { email: email.trim(), grant, ...period, site });
      });
      return { link, expiresAt };
    });
    print(values, `${email} joins as ${roleName(role)} with this link, once, within ten days:\n${link}\n`, {
      email: email.trim(),
      role,
      link,
      expires_at: expiresAt,
    });
    return exitCodes.ok;
  },
});
