/** What a field of profiles knows beside its label, as the form shows it and as a request writes it. */
import { profileFieldTypes } from "../../../api/profiles/profile-field-types.ts";

/** An option that is new has no key yet. */
export interface Option {
  key: string | undefined;
  text: string;
}

export interface Service {
  subtype: string;
  urlPattern: string;
}

/** The subtype for a service that is not in the server's list. */
export const CUSTOM = "custom";

/** In their order. */
export function optionsIn(fieldData: string): Option[] {
  if (fieldData === "") return [];
  const stored = JSON.parse(fieldData) as Record<string, { text?: string; order?: string }>;
  return Object.entries(stored)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([key, { text = "" }]) => ({ key, text }));
}

/**
 * What was changed in a form, on top of what another administrator has saved meanwhile: `before` is what the
 * form began with. An option that is gone is left out, unless its text was changed here.
 */
export function mergeOptions(
  before: readonly Option[],
  mine: readonly Option[],
  now: readonly Option[],
): Option[] {
  const find = (all: readonly Option[], key: string | undefined) => all.find((option) => option.key === key);
  const kept = mine.flatMap((option) => {
    const isUnchanged = option.key !== undefined && find(before, option.key)?.text === option.text;
    return isUnchanged ? (find(now, option.key) ?? []) : option;
  });
  return [...kept, ...now.filter(({ key }) => !find(before, key) && !find(mine, key))];
}

/**
 * Options keep their keys, since values of people are keys. Empty ones are left out. `known`: others that
 * there are or were. A new option with the key of one that is removed would get the values of its people.
 */
export function writeOptions(
  options: readonly Option[],
  known: readonly Option[] = [],
): Record<string, { text: string; order: string }> {
  const used = new Set([...options, ...known].map(({ key }) => key));
  let next = 0;
  const newKey = () => {
    while (used.has(String(next))) next++;
    used.add(String(next));
    return String(next);
  };
  const kept = options.filter(({ text }) => text.trim() !== "");
  return Object.fromEntries(
    kept.map(({ key, text }, at) => [key ?? newKey(), { text: text.trim(), order: String(at + 1) }]),
  );
}

export function serviceIn(fieldData: string): Service {
  if (fieldData === "") return { subtype: CUSTOM, urlPattern: "" };
  const { subtype = CUSTOM, url_pattern = "" } = JSON.parse(fieldData) as {
    subtype?: string;
    url_pattern?: string;
  };
  return { subtype, urlPattern: url_pattern };
}

export function writeService({ subtype, urlPattern }: Service): { subtype: string; url_pattern?: string } {
  return subtype === CUSTOM ? { subtype, url_pattern: urlPattern } : { subtype };
}

/** Whether a short form of a profile can have fields of this type. */
export function canBeInSummary(type: number): boolean {
  return type !== profileFieldTypes.LONG_TEXT.id && type !== profileFieldTypes.USER.id;
}
