import { roles } from "../api/roles.ts";
import { type User, users } from "../server/features/users/user.ts";
import type { Viewer } from "../server/features/users/viewer.ts";
import type { OrganizationState } from "../server/platform/log/organization-state.ts";
import type { Services } from "../server/services.ts";
import { CommandError } from "./command.ts";

/** Says which organization is meant, for commands about one. */
export const hostOption = {
  value: "HOST",
  description: "The host name of the organization; the first one is meant without it.",
} as const;

export async function findOrganization(
  { organizations }: Services,
  host: string | undefined,
): Promise<OrganizationState> {
  const state =
    host === undefined ? await organizations.primary() : await organizations.byHost(host.toLowerCase());
  if (state) return state;
  throw new CommandError(
    host === undefined
      ? "There is no organization yet: parley organization create makes one."
      : `There is no organization under the host name ${host}.`,
  );
}

export function findPerson(state: OrganizationState, email: string): User {
  const user = state.get(users).findManaged(email);
  if (!user) throw new CommandError(`Nobody has the email address ${email}.`);
  if (!user.isActive) throw new CommandError(`The account of ${email} is deactivated.`);
  return user;
}

/** In whose name administrative commands act: whoever can run them can do all that an owner can. */
export function findOwner(state: OrganizationState): Viewer {
  const owner = [...state.get(users).all()].find((user) => user.role === roles.owner && user.isActive);
  if (!owner) throw new CommandError("The organization has no active owner.");
  return { state, user: owner, client: "internal" };
}
