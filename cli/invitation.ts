import { createInvitation } from "../server/features/setup/invitations.ts";
import type { Services } from "../server/services.ts";

/** While there is no organization: how the person who started the server makes one. */
export async function invitation(services: Services, address: string): Promise<string[]> {
  const path = await createInvitation(services);
  if (path === undefined) return [];
  return [
    "",
    "There is no organization yet. This link creates it, once:",
    `  ${address}${path}`,
    'or run: npx parley organization create "NAME"',
    "",
  ];
}
