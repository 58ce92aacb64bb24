/**
 * The users of an organization as JSON. `/register` sends all of them to every client that starts. So each
 * user is written once until the user changes, and the lists are kept as bytes, of which a change makes one
 * block again, values of custom profile fields among it.
 */

import type { UserId } from "../../api/ids.ts";
import { roles } from "../../api/roles.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { JsonBlocks } from "../platform/std/json-blocks.ts";
import { RawJson } from "../platform/std/raw-json.ts";
import { presentUnknownUser } from "./access/unknown-user.ts";
import { canAccessUser, isLimitedGuest } from "./access/user-access.ts";
import { roleSeesEmail } from "./email/email-visibility.ts";
import { defaultSourceOf } from "./pictures/picture.ts";
import { presentUser, type UserForm } from "./present.ts";
import type { EverybodysProfileData, ProfileData } from "./profile-data.ts";
import { type User, users } from "./user.ts";

/** A person with values of profile fields. Another object for other values. */
class Filled {
  readonly user: User;
  readonly values: string;

  constructor(user: User, values: string) {
    this.user = user;
    this.values = values;
  }
}

/** A value of a list: its JSON is that of the person, with the values. */
type Listed = User | Filled;

interface Lists {
  version: number;
  /** Those who are active, and those who are not, in the order of their ids. */
  active: readonly User[];
  inactive: readonly User[];
  /** By form and by `isActive`. */
  blocks: Map<string, KeptBlocks>;
  /** Blocks of the version before, until they are asked for again. */
  former: Map<string, JsonBlocks<Listed>>;
}

interface KeptBlocks {
  blocks: JsonBlocks<Listed>;
  /** All of them. */
  json: RawJson;
  /** The version of the values of profile fields. */
  valuesVersion: number | undefined;
}

/** No account has this id. */
const NOBODY = 0 as UserId;
const noProfileData: EverybodysProfileData = { data: new Map(), version: 0 };
/** How the text of a person ends, in a form with `profile_data`. */
const WITHOUT_VALUES = '"profile_data":{}}';

const listsOf = new WeakMap<OrganizationState, Lists>();
/** A user in memory is replaced when something changes, so the cached JSON of an object stays valid. */
const textsOf = new WeakMap<User, (string | undefined)[]>();
const filledOf = new WeakMap<User, Filled>();

/**
 * The users who are active, or those who are not, in the order of their ids: of whom the reader may know.
 * With `hasUnknown` the list also has a record for each of the others, whether they are active or not.
 */
export function writeKnownUsers(
  state: OrganizationState,
  form: UserForm,
  isActive: boolean,
  { hasUnknown, profileData }: { hasUnknown: boolean; profileData: EverybodysProfileData },
): RawJson {
  const { reader } = form;
  if (!isLimitedGuest(state, reader)) return writeUsers(state, form, isActive, profileData);
  if (!hasUnknown) {
    const isKnown = (user: User) => canAccessUser(state, reader, user);
    return writeSome(state, form, isActive, profileData, isKnown);
  }
  const texts = [...state.get(users).all()].sort(byId).flatMap((user) => {
    if (!canAccessUser(state, reader, user)) return [JSON.stringify(presentUnknownUser(state, user))];
    if (user.isActive !== isActive) return [];
    return [withValues(writeUser(state, user, form), profileData.data.get(user.id))];
  });
  return new RawJson(`[${texts.join(",")}]`);
}

/** All users who are active, or all who are not, in the order of their ids. */
export function writeUsers(
  state: OrganizationState,
  form: UserForm,
  isActive: boolean,
  profileData: EverybodysProfileData = noProfileData,
): RawJson {
  if (isHiddenFromOwnRole(form.reader)) return writeSome(state, form, isActive, profileData, () => true);
  return blocksOf(state, form, isActive, profileData).json;
}

/** From so many people on, a list that nobody has asked for is made in several turns of the event loop. */
const MANY = 2000;
const underWay = new WeakMap<OrganizationState, Map<string, Promise<void>>>();

/**
 * Makes the list of active users for readers who get it first in a large organization. Returns undefined if
 * there is nothing to do. People who change meanwhile are written again when the list is asked for.
 */
export function prepareUsers(
  state: OrganizationState,
  form: UserForm,
  readProfileData: () => Promise<ProfileData>,
): Promise<void> | undefined {
  if (state.get(users).byId.size < MANY) return undefined;
  const key = keyOf(state, form, true);
  const { blocks, former } = currentLists(state);
  if (blocks.has(key) || former.has(key)) return undefined;
  const making = underWay.get(state) ?? new Map<string, Promise<void>>();
  underWay.set(state, making);
  let made = making.get(key);
  if (!made) {
    made = makeInTurns(state, form, key, readProfileData).finally(() => making.delete(key));
    making.set(key, made);
  }
  return made;
}

async function makeInTurns(
  state: OrganizationState,
  form: UserForm,
  key: string,
  readProfileData: () => Promise<ProfileData>,
): Promise<void> {
  const data = await readProfileData();
  const listed = withFilled(currentLists(state).active, data);
  const made = await JsonBlocks.inTurns(listed, listedWriter(state, form));
  const { blocks, former } = currentLists(state);
  if (!blocks.has(key)) former.set(key, made);
}

function writeSome(
  state: OrganizationState,
  form: UserForm,
  isActive: boolean,
  profileData: EverybodysProfileData,
  isListed: (user: User) => boolean,
): RawJson {
  const { reader } = form;
  const { blocks } = blocksOf(state, form, isActive, profileData);
  const { active, inactive } = currentLists(state);
  const everybody = isActive ? active : inactive;
  // The kept lists hide the address of this reader from the reader.
  const index = isHiddenFromOwnRole(reader) ? everybody.findIndex(({ id }) => id === reader.id) : -1;
  const me = everybody[index];
  const json = me && withValues(writeUser(state, me, form), profileData.data.get(me.id));
  return blocks.listOf(
    (place) => isListed(everybody[place] as User),
    json === undefined ? undefined : { index, json },
  );
}

function blocksOf(
  state: OrganizationState,
  form: UserForm,
  isActive: boolean,
  { data, version }: EverybodysProfileData,
): KeptBlocks {
  const lists = currentLists(state);
  const key = keyOf(state, form, isActive);
  const known = lists.blocks.get(key);
  if (known && version !== undefined && known.valuesVersion === version) return known;
  const everybody = isActive ? lists.active : lists.inactive;
  const former = known?.blocks ?? lists.former.get(key);
  const blocks = JsonBlocks.of(withFilled(everybody, data), listedWriter(state, form), former);
  const made = { blocks, json: blocks.listOf(() => true), valuesVersion: version };
  if (version === undefined) return made;
  lists.former.delete(key);
  lists.blocks.set(key, made);
  return made;
}

function keyOf(state: OrganizationState, form: UserForm, isActive: boolean): string {
  return `${formNumber(state, form)} ${isActive}`;
}

function withFilled(list: readonly User[], data: ProfileData): readonly Listed[] {
  return data.size === 0 ? list : list.map((user) => filled(user, data.get(user.id)));
}

function listedWriter(state: OrganizationState, form: UserForm): (listed: Listed) => string {
  return (listed) =>
    listed instanceof Filled
      ? withValues(writeShared(state, listed.user, form), listed.values)
      : writeShared(state, listed, form);
}

function filled(user: User, values: string | undefined): Listed {
  if (values === undefined) return user;
  let known = filledOf.get(user);
  if (known?.values !== values) {
    known = new Filled(user, values);
    filledOf.set(user, known);
  }
  return known;
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
  profileData: ProfileData = noProfileData.data,
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
  return writeShared(state, user, form);
}

/** As others of the reader's rank see the user. */
function writeShared(state: OrganizationState, user: User, form: UserForm): string {
  let texts = textsOf.get(user);
  if (!texts) {
    texts = [];
    textsOf.set(user, texts);
  }
  const number = formNumber(state, form);
  texts[number] ??= JSON.stringify(presentUser(state, user, asAnother(form, user)));
  return texts[number];
}

/** The text is everybody's, so it must not have what the reader sees of themselves alone. */
function asAnother(form: UserForm, user: User): UserForm {
  return form.reader.id === user.id ? { ...form, reader: { ...form.reader, id: NOBODY } } : form;
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
