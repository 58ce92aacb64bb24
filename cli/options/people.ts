import { roles } from "../../api/roles.ts";
import { organization } from "../../server/organization/organization.ts";
import { type User, users } from "../../server/people/user.ts";
import type { Viewer } from "../../server/people/viewer/viewer.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import type { Services } from "../../server/services.ts";
import { CommandError, localSite } from "../command.ts";

/** The option that selects the organization that a command works on. */
export const hostOption = {
  value: "HOST",
  description: "The host name of the organization; the first organization by default.",
} as const;

export async function findOrganization(
  { organizations }: Pick<Services, "organizations">,
  host: string | undefined,
): Promise<OrganizationState> {
  const state =
    host === undefined ? await organizations.primary() : await organizations.byHost(host.toLowerCase());
  if (state) return state;
  throw new CommandError(
    "organization-missing",
    host === undefined
      ? "There is no organization yet. Create one with parley organization create NAME."
      : `--host: there is no organization at ${host}.`,
  );
}

/** The address under which clients reach an organization. The first one has the server's own. */
export async function siteOf(
  { config, organizations }: Pick<Services, "config" | "organizations">,
  state: OrganizationState,
): Promise<string> {
  const site = new URL(config.publicUrl ?? localSite(config));
  if ((await organizations.primary()) !== state) site.hostname = state.get(organization).host;
  return site.origin;
}

export function findPerson(state: OrganizationState, email: string): User {
  const user = state.get(users).findManaged(email);
  if (!user)
    throw new CommandError("account-missing", `There is no account with the email address ${email}.`);
  if (!user.isActive) throw new CommandError("account-unfit", `The account of ${email} is deactivated.`);
  return user;
}

/** Administrative commands act as an owner: a person who can run them can do all that an owner can. */
export function findOwner(state: OrganizationState): Viewer {
  const owner = [...state.get(users).all()].find((user) => user.role === roles.owner && user.isActive);
  if (!owner)
    throw new CommandError(
      "owner-missing",
      "The organization has no active owner, in whose name this command could act.",
    );
  return { state, user: owner, client: "internal", isOperator: true };
}
