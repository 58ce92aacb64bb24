/**
 * The form in which settings are declared. A setting of the organization or of a person is one declaration.
 * The parameters of `PATCH /realm` and `PATCH /settings`, their checks, the events and the keys of
 * `/register` are read from it. The module that gives a setting its meaning reads its value through the
 * declaration.
 */
import type { Static, TBoolean, TEnum, TInteger, TLiteral, TNull, TSchema, TString, TUnion } from "typebox";

export type PlainSchema =
  | TBoolean
  | TInteger
  | TString
  | TNull
  | TLiteral<string | number>
  | TEnum<(string | number)[]>;
/** What describes a setting's values. They are plain, so that an event can hold any of them. */
export type SettingSchema = PlainSchema | TUnion<PlainSchema[]>;
export type SettingValue = boolean | number | string | null;

/** Written as a method, so that a list can mix the settings of all kinds of values. */
type Twin<V> = { of(value: V): SettingValue }["of"];

export interface OrganizationSetting<S extends TSchema = SettingSchema> {
  /** As in `PATCH /realm`; `/register` sends it with the prefix `realm_`. */
  name: string;
  schema: S;
  default: Static<S>;
  description: string;
  /** The least role that may change it. */
  changedBy: "administrator" | "owner";
  /** Announced by a `realm` event of op `update`, or of op `update_dict` with all that changed together. */
  event: "update" | "update_dict";
  /** Words that stand for a value in a request: `unlimited` for no limit. */
  words: Readonly<Record<string, Static<S>>>;
  /** Other names that `PATCH /realm` takes. */
  aliases: readonly string[];
  /**
   * Keys that older clients read, worked out from the value; they are in events and in `/register` beside it.
   */
  twins: Readonly<Record<string, Twin<Static<S>>>>;
  /** The value is the id of a channel, or -1 for none. */
  isChannel: boolean;
}

export function organizationSetting<S extends TSchema>(
  declaration: Pick<OrganizationSetting<S>, "name" | "schema" | "default" | "description"> &
    Partial<OrganizationSetting<S>>,
): OrganizationSetting<S> {
  return {
    changedBy: "administrator",
    event: "update",
    words: {},
    aliases: [],
    twins: {},
    isChannel: false,
    ...declaration,
  };
}

/** The groups that every organization has; their names on the wire are such as `role:owners`. */
export type SystemGroupName =
  | "nobody"
  | "owners"
  | "administrators"
  | "moderators"
  | "fullMembers"
  | "members"
  | "everyone"
  | "internet";

/** Which groups a setting whose value is a group may have (spec Conventions 6). */
export interface GroupRules {
  /** Only system groups, and of those only the allowed ones, if any are listed. */
  requiresSystemGroup: boolean;
  allowedSystemGroups: readonly SystemGroupName[];
  allowsNobody: boolean;
  allowsEveryone: boolean;
  allowsInternet: boolean;
}

/** A setting whose value is a group: who may do something in the organization. */
export interface OrganizationGroupSetting extends GroupRules {
  /** As in `PATCH /realm`; `/register` sends it with the prefix `realm_`. */
  name: string;
  description: string;
  defaultGroup: SystemGroupName;
  /** The least role that may change it. */
  changedBy: "administrator" | "owner";
}

export function organizationGroupSetting(
  declaration: Pick<OrganizationGroupSetting, "name" | "description" | "defaultGroup"> &
    Partial<OrganizationGroupSetting>,
): OrganizationGroupSetting {
  return {
    requiresSystemGroup: false,
    allowedSystemGroups: [],
    allowsNobody: true,
    allowsEveryone: false,
    allowsInternet: false,
    changedBy: "administrator",
    ...declaration,
  };
}

/** The same for a person's settings, none of which can be null. */
export type UserSettingSchema = TBoolean | TInteger | TString | TEnum<(string | number)[]>;
export type UserSettingValue = boolean | number | string;

export interface UserSetting<S extends TSchema = UserSettingSchema> {
  /** As in `PATCH /settings` and in the `user_settings` of `/register`. */
  name: string;
  schema: S;
  default: Static<S>;
  description: string;
  /** The older event that also announces a change, to clients without `user_settings_object`. */
  legacyEvent: "update_display_settings" | "update_global_notifications" | undefined;
  /** Whether the organization has a default of its own for people who join. */
  hasOrganizationDefault: boolean;
  /** Until it is chosen it follows the language, and then `default` is the value in English. */
  isByLanguage: boolean;
}

export function userSetting<S extends TSchema>(
  declaration: Pick<UserSetting<S>, "name" | "schema" | "default" | "description"> & Partial<UserSetting<S>>,
): UserSetting<S> {
  return { legacyEvent: undefined, hasOrganizationDefault: true, isByLanguage: false, ...declaration };
}
