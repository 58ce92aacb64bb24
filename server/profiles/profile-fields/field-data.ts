import { ApiError, errors } from "../../../api/errors.ts";
import { unprintableAt } from "../../../api/fields.ts";
import { findHidden, normalizeName } from "../../../api/hidden-characters.ts";
import {
  MAX_PROFILE_OPTION_KEY_LENGTH,
  MAX_PROFILE_SHORT_TEXT_LENGTH,
  MAX_PROFILE_URL_LENGTH,
} from "../../../api/limits.ts";
import {
  CUSTOM_ACCOUNT,
  type ExternalAccount,
  externalAccounts,
  type FieldData,
  type FieldOptions,
  USERNAME_PLACEHOLDER,
} from "../../../api/profiles/profile-field.ts";
import { type ProfileFieldType, profileFieldTypes } from "../../../api/profiles/profile-field-types.ts";
import { isWebAddress } from "./web-address.ts";

/** A key may be a name that every object has, so it can't begin with an underscore. */
const OPTION_KEY = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const OPTION_ORDER = /^\d{1,4}$/;

/**
 * The `field_data` to store for a field of this type, as JSON. Types that need none ignore what is given.
 * Throws `selectWithoutOptions`, `duplicateOptions`, `externalAccountUnknown`, `externalAccountPattern` and
 * `invalidFieldData`.
 */
export function parseFieldData(type: ProfileFieldType, given: FieldData = {}): string {
  if (type === profileFieldTypes.SELECT.id) return JSON.stringify(parseOptions(given));
  if (type === profileFieldTypes.EXTERNAL_ACCOUNT.id) return JSON.stringify(parseAccount(given));
  return "";
}

/** The service of a field whose data names one of the list; undefined for all other fields. */
export function listedAccount(type: ProfileFieldType, given: FieldData = {}) {
  return type === profileFieldTypes.EXTERNAL_ACCOUNT.id && isAccount(given)
    ? accountNamed(given.subtype)
    : undefined;
}

function parseOptions(given: FieldData): FieldOptions {
  if (isAccount(given)) throw invalid("the options are missing");
  const entries = Object.entries(given).map(([key, { text, order }]) => [
    parseKey(key),
    { text: parseText(text), order: parseOrder(order) },
  ]);
  if (entries.length === 0) throw new ApiError(errors.selectWithoutOptions);
  const options: FieldOptions = Object.fromEntries(entries);
  const texts = Object.values(options).map(({ text }) => text);
  if (new Set(texts).size < texts.length) throw new ApiError(errors.duplicateOptions);
  return options;
}

function parseKey(key: string): string {
  if (key.length > MAX_PROFILE_OPTION_KEY_LENGTH || !OPTION_KEY.test(key)) {
    throw invalid(`a key must have 1 to ${MAX_PROFILE_OPTION_KEY_LENGTH} letters, digits, '-' and '_'`);
  }
  return key;
}

function parseText(given: string): string {
  const text = normalizeName(given);
  const length = [...text].length;
  if (
    length === 0 ||
    length > MAX_PROFILE_SHORT_TEXT_LENGTH ||
    unprintableAt(text, findHidden) !== undefined
  ) {
    throw invalid(`a choice must have 1 to ${MAX_PROFILE_SHORT_TEXT_LENGTH} printable characters`);
  }
  return text;
}

function parseOrder(order: string): string {
  if (!OPTION_ORDER.test(order)) throw invalid("an order must be a number in a string");
  return order;
}

function parseAccount(given: FieldData): ExternalAccount {
  if (!isAccount(given)) throw invalid("the subtype is missing");
  const { subtype, url_pattern } = given;
  if (accountNamed(subtype)) return { subtype };
  if (subtype !== CUSTOM_ACCOUNT) throw new ApiError(errors.externalAccountUnknown);
  return { subtype, url_pattern: parsePattern(url_pattern ?? "") };
}

function parsePattern(given: string): string {
  const pattern = given.trim();
  const isComplete =
    pattern.length <= MAX_PROFILE_URL_LENGTH &&
    pattern.split(USERNAME_PLACEHOLDER).length === 2 &&
    isWebAddress(pattern.replace(USERNAME_PLACEHOLDER, "username"));
  if (!isComplete) throw new ApiError(errors.externalAccountPattern, { placeholder: USERNAME_PLACEHOLDER });
  return pattern;
}

/** An option may have the key "subtype" too, but its value is an object. */
function isAccount(given: FieldData): given is ExternalAccount {
  return typeof given.subtype === "string";
}

function accountNamed(subtype: string) {
  const known: Readonly<Record<string, { name: string; hint: string }>> = externalAccounts;
  return Object.hasOwn(known, subtype) ? known[subtype] : undefined;
}

function invalid(problem: string) {
  return new ApiError(errors.invalidFieldData, { problem });
}
