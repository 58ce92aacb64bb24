/**
 * The users of an organization as JSON. `/register` sends all of them to every client that starts. So each
 * user is written once until the user changes, and the lists once for each version of all users.
 */

import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { RawJson } from "../../platform/std/raw-json.ts";
import { presentUser, type UserForm } from "./present.ts";
import { type User, users } from "./user.ts";

interface Lists {
  version: number;
  /** By form and by `isActive`. */
  texts: Map<string, RawJson>;
}

const listsOf = new WeakMap<OrganizationState, Lists>();
/** A user in memory is replaced when something changes, so the cached JSON of an object stays valid. */
const textsOf = new WeakMap<User, (string | undefined)[]>();

/** All users who are active, or all who are not, in the order of their ids. */
export function writeUsers(state: OrganizationState, form: UserForm, isActive: boolean): RawJson {
  const { version } = state.get(users);
  let lists = listsOf.get(state);
  if (lists?.version !== version) {
    lists = { version, texts: new Map() };
    listsOf.set(state, lists);
  }
  const key = `${formNumber(form)} ${isActive}`;
  let list = lists.texts.get(key);
  if (!list) {
    list = writeUserList(
      [...state.get(users).all()].filter((user) => user.isActive === isActive).sort(byId),
      form,
    );
    lists.texts.set(key, list);
  }
  return list;
}

export function writeUserList(list: readonly User[], form: UserForm): RawJson {
  return new RawJson(`[${list.map((user) => writeUser(user, form)).join(",")}]`);
}

function writeUser(user: User, form: UserForm): string {
  let texts = textsOf.get(user);
  if (!texts) {
    texts = [];
    textsOf.set(user, texts);
  }
  const number = formNumber(form);
  texts[number] ??= JSON.stringify(presentUser(user, form));
  return texts[number];
}

function formNumber({ clientGravatar, profileData }: UserForm): number {
  return (clientGravatar ? 1 : 0) + (profileData ? 2 : 0);
}

function byId(one: User, other: User): number {
  return one.id - other.id;
}
