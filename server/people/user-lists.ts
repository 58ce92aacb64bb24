/**
 * The users of an organization as JSON. `/register` sends all of them to every client that starts. So each
 * user is written once until the user changes, and the lists are kept as bytes, of which a change makes one
 * block again. Values of custom profile fields are not in memory: they are put into the texts, which are then
 * joined again.
 */

import { roles } from "../../api/roles.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { JsonBlocks } from "../platform/std/json-blocks.ts";
import { RawJson } from "../platform/std/raw-json.ts";
import { presentUnknownUser } from "./access/unknown-user.ts";
import { canAccessUser, isLimitedGuest } from "./access/user-access.ts";
import { roleSeesEmail } from "./email/email-visibility.ts";
import { defaultSourceOf } from "./pictures/picture.ts";
import { presentUser, type UserForm } from "./present.ts";
import type { ProfileData } from "./profile-data.ts";
import { type User, users } from "./user.ts";

interface Lists {
  version: number;
  /** Those who are active, and those who are not, in the order of their ids. */
  active: readonly User[];
  inactive: readonly User[];
  /** By form and by `isActive`. */
  blocks: Map<string, { blocks: JsonBlocks<User>; json: RawJson }>;
  /** Blocks of the version before, until they are asked for again. */
  former: Map<string, JsonBlocks<User>>;
}

const noProfileData: ProfileData = new Map();
/** How the text of a person ends, in a form with `profile_data`. */
const WITHOUT_VALUES = '"profile_data":{}}';

const listsOf = new WeakMap<OrganizationState, Lists>();
/** A user in memory is replaced when something changes, so the cached JSON of an object stays valid. */
const textsOf = new WeakMap<User, (string | undefined)[]>();

/**
 * The users who are active, or those who are not, in the order of their ids: of whom the reader may know.
 * With `hasUnknown` the list also has a record for each of the others, whether they are active or not.
 */
export function writeKnownUsers(
  state: OrganizationState,
  form: UserForm,
  isActive: boolean,
  { hasUnknown, profileData }: { hasUnknown: boolean; profileData: ProfileData },
): RawJson {
  if (!isLimitedGuest(state, form.reader)) return writeUsers(state, form, isActive, profileData);
  const texts = [...state.get(users).all()].sort(byId).flatMap((user) => {
    if (!canAccessUser(state, form.reader, user))
      return hasUnknown ? [JSON.stringify(presentUnknownUser(state, user))] : [];
    if (user.isActive !== isActive) return [];
    return [withValues(writeUser(state, user, form), profileData.get(user.id))];
  });
  return new RawJson(`[${texts.join(",")}]`);
}

/** All users who are active, or all who are not, in the order of their ids. */
export function writeUsers(
  state: OrganizationState,
  form: UserForm,
  isActive: boolean,
  profileData: ProfileData = noProfileData,
): RawJson {
  const lists = currentLists(state);
  const everybody = isActive ? lists.active : lists.inactive;
  // The kept lists hide the address of this reader from the reader, and have no values.
  if (isHiddenFromOwnRole(form.reader) || profileData.size > 0) {
    return writeUserList(state, everybody, form, profileData);
  }
  const key = `${formNumber(state, form)} ${isActive}`;
  let list = lists.blocks.get(key);
  if (!list) {
    const blocks = JsonBlocks.of(everybody, (user) => writeUser(state, user, form), lists.former.get(key));
    list = { blocks, json: blocks.listOf(() => true) };
    lists.former.delete(key);
    lists.blocks.set(key, list);
  }
  return list.json;
}

function currentLists(state: OrganizationState): Lists {
  const { version } = state.get(users);
  const known = listsOf.get(state);
  if (known?.version === version) return known;
  const everybody = [...state.get(users).all()].sort(byId);
  const lists: Lists = {
    version,
    active: everybody.filter(({ isActive }) => isActive),
    inactive: everybody.filter(({ isActive }) => !isActive),
    blocks: new Map(),
    former: new Map(known?.former),
  };
  for (const [key, { blocks }] of known?.blocks ?? []) lists.former.set(key, blocks);
  listsOf.set(state, lists);
  return lists;
}

export function writeUserList(
  state: OrganizationState,
  list: readonly User[],
  form: UserForm,
  profileData: ProfileData = noProfileData,
): RawJson {
  const texts = list.map((user) => withValues(writeUser(state, user, form), profileData.get(user.id)));
  return new RawJson(`[${texts.join(",")}]`);
}

function withValues(text: string, values: string | undefined): string {
  if (values === undefined || !text.endsWith(WITHOUT_VALUES)) return text;
  return `${text.slice(0, -"{}}".length)}${values}}`;
}

function writeUser(state: OrganizationState, user: User, form: UserForm): string {
  if (user.id === form.reader.id && isHiddenFromOwnRole(user)) {
    return JSON.stringify(presentUser(state, user, form));
  }
  let texts = textsOf.get(user);
  if (!texts) {
    texts = [];
    textsOf.set(user, texts);
  }
  const number = formNumber(state, form);
  texts[number] ??= JSON.stringify(presentUser(state, user, form));
  return texts[number];
}

/** Whether others of the user's role do not see the user's email address. */
function isHiddenFromOwnRole(user: User): boolean {
  return !roleSeesEmail(user.role, user);
}

/** Readers with the same number get the same text of a user other than themselves. */
export function formNumber(
  state: OrganizationState,
  { clientGravatar, profileData, reader }: UserForm,
): number {
  const isGravatar = defaultSourceOf(state) === "G";
  return (clientGravatar ? 1 : 0) + (profileData ? 2 : 0) + 4 * rankOf(reader) + (isGravatar ? 16 : 0);
}

/** Roles of one rank see the same email addresses. */
function rankOf({ role }: User): number {
  if (role <= roles.administrator) return 3;
  if (role <= roles.moderator) return 2;
  return role <= roles.member ? 1 : 0;
}

function byId(one: User, other: User): number {
  return one.id - other.id;
}
