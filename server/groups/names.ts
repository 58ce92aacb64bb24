import { ApiError, errors } from "../../api/errors.ts";
import { unprintableAt } from "../../api/fields.ts";
import { normalizeName } from "../../api/hidden-characters.ts";
import { MAX_GROUP_DESCRIPTION_LENGTH, MAX_GROUP_NAME_LENGTH } from "../../api/limits.ts";
import { findAlike } from "../../api/name-likeness.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { type Group, groups } from "./group.ts";

/** Prefixes of system groups, mentions and links, which no name may have. */
const RESERVED_PREFIXES = ["@", "role:", "user:", "stream:", "channel:"];

/** A group's name as it is stored. Refuses one that another group's is like, deactivated groups included. */
export function parseGroupName(state: OrganizationState, text: string, self?: Group): string {
  const name = normalizeName(text);
  const { length } = [...name];
  if (length === 0 || length > MAX_GROUP_NAME_LENGTH || unprintableAt(name) !== undefined) {
    throw new ApiError(errors.groupNameLength, { limit: MAX_GROUP_NAME_LENGTH });
  }
  const prefix = RESERVED_PREFIXES.find((each) => name.toLowerCase().startsWith(each));
  if (prefix !== undefined) throw new ApiError(errors.groupNamePrefix, { prefix });
  if (name === self?.name) return name;
  const others = [...state.get(groups).all()].filter(({ id }) => id !== self?.id);
  if (findAlike(others, name)) throw new ApiError(errors.groupNameTaken, { name });
  return name;
}

export function parseGroupDescription(text: string): string {
  const description = text.trim();
  if ([...description].length > MAX_GROUP_DESCRIPTION_LENGTH) {
    throw new ApiError(errors.tooLong, { name: "description", limit: MAX_GROUP_DESCRIPTION_LENGTH });
  }
  return description;
}
