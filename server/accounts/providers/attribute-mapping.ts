/** A provider's claims about roles, groups and names, and how accounts follow them. */
import { ApiError } from "../../../api/errors.ts";
import { type Role, roles } from "../../../api/roles.ts";
import { changeMembers } from "../../groups/change-members.ts";
import { type Group, groups } from "../../groups/group.ts";
import { isOnlyOwner } from "../../people/access/access.ts";
import { parseFreeName } from "../../people/free-name.ts";
import { changeAccount } from "../../people/update/update-user.ts";
import { type User, users } from "../../people/user.ts";
import { changeState, type ViewerChange } from "../../people/viewer/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type ExternalProfile, valuesOf } from "../../platform/oidc/profile.ts";
import type { SignInProvider } from "../../platform/oidc/providers.ts";
import type { Services } from "../../services.ts";
import { operatorViewer } from "./operator-viewer.ts";
import { possibleNames } from "./person-name.ts";

/** What the claims make of an account by the operator's setting. What is absent stays as it is. */
export interface MappedAttributes {
  /** null: the provider gives none. */
  role?: Role | null;
  /** The groups, of those that the setting names. */
  groups?: readonly string[];
  name?: string;
}

export function mapAttributes(provider: SignInProvider, profile: ExternalProfile): MappedAttributes {
  const given = provider.roles && valuesOf(profile, provider.roles.claim);
  const mapped = given?.flatMap((value) => provider.roles?.map.get(value) ?? []);
  const inGroups = provider.groups && valuesOf(profile, provider.groups.claim);
  const [name] = possibleNames(profile);
  return {
    ...(mapped && { role: mapped.length === 0 ? null : (Math.min(...mapped) as Role) }),
    ...(inGroups && {
      groups: [...new Set(inGroups.flatMap((value) => provider.groups?.map.get(value) ?? []))],
    }),
    ...(provider.syncsName && name !== undefined && { name }),
  };
}

/** The role of a new account for which no invitation says another. */
export function initialRole({ role }: MappedAttributes): Role {
  return role ?? roles.member;
}

/**
 * Makes an account what its provider wants, by the changes that an owner could make. Everybody gets the
 * events of these. What can't be done is left, and logged: it must not keep the person out.
 */
export async function syncAccount(
  { log }: Pick<Services, "log">,
  state: OrganizationState,
  provider: SignInProvider,
  { id }: Pick<User, "id">,
  attributes: MappedAttributes,
): Promise<void> {
  const now = state.get(users).byId.get(id);
  if (!now) return;
  const isRight =
    nextOf(state, provider, now, attributes) === now &&
    groupChanges(state, provider, now, attributes).length === 0;
  if (isRight) return;
  await changeState(operatorViewer(state), async (tx) => {
    const user = state.get(users).byId.get(id);
    if (!user) return;
    await changeAccount(tx, user, nextOf(state, provider, user, attributes));
    for (const { group, isAdded } of groupChanges(state, provider, user, attributes)) {
      const isDone = await changeMember(tx, group, user, isAdded);
      if (!isDone) log.warn({ provider: provider.id, group: group.id }, "a group can't follow the provider");
    }
  });
}

/** The same object if nothing is to change. */
function nextOf(
  state: OrganizationState,
  provider: SignInProvider,
  user: User,
  attributes: MappedAttributes,
): User {
  const role = nextRole(state, provider, user, attributes.role);
  const fullName = nextName(state, user, attributes.name);
  return role === user.role && fullName === user.fullName ? user : { ...user, role, fullName };
}

/**
 * Owners stay owners unless the setting names that role, and the last one always. Without a role of the
 * provider, one that came from it and may do more than members becomes a member. Nobody rises by that.
 */
function nextRole(
  state: OrganizationState,
  provider: SignInProvider,
  user: User,
  mapped: Role | null | undefined,
): Role {
  const given = new Set(provider.roles?.map.values());
  if (mapped === undefined || isOnlyOwner(state, user)) return user.role;
  if (user.role === roles.owner && !given.has(roles.owner)) return user.role;
  if (mapped !== null) return mapped;
  return user.role < roles.member && given.has(user.role) ? roles.member : user.role;
}

function nextName(state: OrganizationState, user: User, mapped: string | undefined): string {
  if (mapped === undefined) return user.fullName;
  try {
    return parseFreeName(state, mapped, user);
  } catch (error) {
    if (error instanceof ApiError) return user.fullName;
    throw error;
  }
}

/** A group that is not there, or is deactivated, is left out. */
function groupChanges(
  state: OrganizationState,
  { groups: setting }: SignInProvider,
  user: User,
  attributes: MappedAttributes,
): { group: Group; isAdded: boolean }[] {
  if (!setting || !attributes.groups) return [];
  const all = state.get(groups);
  return [...new Set(setting.map.values())].flatMap((name) => {
    const group = all.findByName(name);
    if (!group?.isActive || group.systemCode !== null) return [];
    const isAdded = attributes.groups?.includes(name) ?? false;
    return isAdded === all.hasDirectMember(group.id, user.id) ? [] : [{ group, isAdded }];
  });
}

/** Everything is checked before anything is written, so a refusal leaves nothing behind. */
async function changeMember(
  tx: ViewerChange,
  group: Group,
  { id }: User,
  isAdded: boolean,
): Promise<boolean> {
  const nothing = { add: [], remove: [], addSubgroups: [], removeSubgroups: [] };
  try {
    await changeMembers(tx, group.id, { ...nothing, [isAdded ? "add" : "remove"]: [id] });
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
