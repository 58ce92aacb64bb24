/** The causes of events of the lists that the organization keeps. */

import { createInvitationLink } from "../../../api/accounts/invitations.ts";
import { addDomain, removeDomain, updateDomain } from "../../../api/administration/domains.ts";
import { createExport } from "../../../api/administration/exports.ts";
import { addCustomEmoji } from "../../../api/content/emoji.ts";
import { addLinkifier } from "../../../api/content/linkifiers.ts";
import { addPlayground } from "../../../api/content/playgrounds.ts";
import { domainAdded, domainChanged, domainRemoved } from "../../../api/events/domains.ts";
import { customEmojiChanged } from "../../../api/events/emoji.ts";
import { exportConsentChanged, exportsChanged } from "../../../api/events/exports.ts";
import { invitationsChanged } from "../../../api/events/invitations.ts";
import { linkifiersChanged } from "../../../api/events/linkifiers.ts";
import { playgroundsChanged } from "../../../api/events/playgrounds.ts";
import { updateSettings } from "../../../api/people/users.ts";
import { type Scenario, type Scene, toAll } from "../scenario.ts";

export const listScenarios: readonly Scenario[] = [
  toAll(
    linkifiersChanged,
    "everyone",
    ({ olga, freshName }) =>
      olga(addLinkifier, { pattern: `${freshName}#[0-9]+`, url_template: "https://tickets.example.com/" }),
    { clients: ["modern"] },
  ),
  toAll(playgroundsChanged, "everyone", ({ olga, freshName }) =>
    olga(addPlayground, {
      name: freshName,
      pygments_language: "Python",
      url_template: "https://run.example.com/{code}",
    }),
  ),
  toAll(customEmojiChanged, "everyone", ({ olga, freshName }) =>
    olga(addCustomEmoji, { emoji_name: freshName }),
  ),
  toAll(domainAdded, "everyone", allowDomain),
  toAll(domainChanged, "everyone", async (scene) => {
    const { domain } = await allowDomain(scene);
    scene.begin();
    await scene.olga(updateDomain, { domain, allow_subdomains: true });
  }),
  toAll(domainRemoved, "everyone", async (scene) => {
    const { domain } = await allowDomain(scene);
    scene.begin();
    await scene.olga(removeDomain, { domain });
  }),

  toAll(exportsChanged, "administrators", ({ olga }) => olga(createExport, { export_type: 1 })),
  toAll(exportConsentChanged, "administrators", ({ olga }) =>
    olga(updateSettings, { allow_private_data_export: true }),
  ),

  toAll(invitationsChanged, "administrators", ({ olga }) => olga(createInvitationLink, {})),
];

async function allowDomain({ olga, freshName }: Scene): Promise<{ domain: string }> {
  const domain = `${freshName.replace(/[^a-z0-9]/gi, "-")}.example.com`;
  await olga(addDomain, { domain, allow_subdomains: false });
  return { domain: domain.toLowerCase() };
}
