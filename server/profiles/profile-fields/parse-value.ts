import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import {
  MAX_PROFILE_LONG_TEXT_LENGTH,
  MAX_PROFILE_PEOPLE,
  MAX_PROFILE_SHORT_TEXT_LENGTH,
  MAX_PROFILE_URL_LENGTH,
} from "../../../api/limits.ts";
import { profileFieldTypes } from "../../../api/profiles/profile-field-types.ts";
import { canAccessUser } from "../../people/access/user-access.ts";
import { users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { optionKeys } from "./profile-fields.ts";
import type { ProfileField } from "./store.ts";
import { isWebAddress } from "./web-address.ts";

/** A value as a request gives it; null removes what is there. */
export type GivenValue = string | readonly number[] | null;

const types = profileFieldTypes;
const LINE_BREAK = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * The value to store for a field, or null for none: an empty value is none. Throws `invalidProfileValue` and
 * `tooLong`.
 */
export function parseValue(viewer: Viewer, field: ProfileField, given: GivenValue): string | null {
  if (field.type === types.USER.id) return parsePeople(viewer, field, given);
  if (given !== null && typeof given !== "string") throw invalid(field, "a string");
  const text = given?.trim() ?? "";
  if (text === "") return null;
  checkText(field, text);
  return text;
}

function checkText(field: ProfileField, text: string): void {
  switch (field.type) {
    case types.LONG_TEXT.id:
      checkLength(field, text, MAX_PROFILE_LONG_TEXT_LENGTH);
      return;
    case types.SELECT.id:
      if (!optionKeys(field).includes(text)) throw invalid(field, "one of the options");
      return;
    case types.DATE.id:
      if (!isDate(text)) throw invalid(field, "a date as YYYY-MM-DD");
      return;
    case types.URL.id:
      checkLength(field, text, MAX_PROFILE_URL_LENGTH);
      if (!isWebAddress(text)) throw invalid(field, "an http or https address");
      return;
    default:
      checkLength(field, text, MAX_PROFILE_SHORT_TEXT_LENGTH);
      if (LINE_BREAK.test(text)) throw invalid(field, "on one line");
  }
}

function checkLength({ name }: ProfileField, text: string, limit: number): void {
  // A string has at least as many UTF-16 units as code points, so short strings need no counting.
  if (text.length > limit && [...text].length > limit) throw new ApiError(errors.tooLong, { name, limit });
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // A day that its month does not have becomes one of the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** People of the organization of whom the viewer may know, also those who are deactivated, as JSON. */
function parsePeople({ state, user }: Viewer, field: ProfileField, given: GivenValue): string | null {
  const ids = given === null || given === "" ? [] : typeof given === "string" ? readIds(given) : given;
  if (!ids || ids.length > MAX_PROFILE_PEOPLE) {
    throw invalid(field, `a list of at most ${MAX_PROFILE_PEOPLE} user IDs`);
  }
  const all = state.get(users);
  const isPerson = (id: number) => {
    const person = all.findManaged(id);
    return person?.botType === null && canAccessUser(state, user, person);
  };
  if (!ids.every(isPerson)) throw invalid(field, "a list of people of this organization");
  const people = [...new Set(ids)] as UserId[];
  return people.length === 0 ? null : JSON.stringify(people);
}

/** COMPAT: the value comes as a string in `profile_data`, and some clients send it back as they got it. */
function readIds(text: string): number[] | undefined {
  if (!/^\s*\[\s*\d{1,15}(\s*,\s*\d{1,15})*\s*\]\s*$|^\s*\[\s*\]\s*$/.test(text)) return undefined;
  return JSON.parse(text) as number[];
}

function invalid({ name }: ProfileField, expected: string) {
  return new ApiError(errors.invalidProfileValue, { name, expected });
}
