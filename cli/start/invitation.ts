import type { Services } from "../../server/services.ts";
import { createInvitation, INVITATION_HOURS } from "../../server/website/setup/invitations.ts";

/** While there is no organization: lines that show the person who started the server how to create one. */
export async function invitation(
  services: Pick<Services, "database" | "keyring" | "organizations">,
  address: string,
): Promise<string[]> {
  const path = await createInvitation(services);
  if (path === undefined) return [];
  return [
    "",
    `There is no organization yet. Open this link to create one (it works once, within ${INVITATION_HOURS} hours):`,
    `  ${address}${path}`,
    "Or run, in Parley's folder and with the same settings:",
    '  npx parley organization create "NAME"',
    "",
  ];
}
