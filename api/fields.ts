/** The words of the contract that several subjects share. */
import { type TProperties, type TSchema, Type } from "typebox";
import { findHiddenInName, withoutHidden } from "./hidden-characters.ts";
import { roles } from "./roles.ts";

export const userRole = Type.Enum(Object.values(roles), {
  description: Object.entries(roles)
    .map(([name, number]) => `${number} ${name}`)
    .join(", "),
});

export function nullable<S extends TSchema>(schema: S, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

/** Fields that an event or a reply may hold, each of them only sometimes. */
export function someOf(fields: TProperties) {
  return Type.Object(
    Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])),
  );
}

/** The same schema with a description of what it is here. */
export function described<S extends TSchema>(schema: S, description: string): S {
  return { ...schema, description };
}

/** Line and paragraph separators, control characters, and code points that stand for no character. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
const ALL_UNPRINTABLE = new RegExp(UNPRINTABLE, "gu");

/** The text without the characters that can't be seen. */
export function withoutUnprintable(text: string): string {
  return withoutHidden(text.replace(ALL_UNPRINTABLE, ""));
}

/**
 * Where a name has its first character that can't be seen, counted in code points from 1. `find`: which
 * characters count besides those that can't be printed.
 */
export function unprintableAt(text: string, find = findHiddenInName): number | undefined {
  const [first] = [text.search(UNPRINTABLE), find(text)].filter((at) => at >= 0).sort((a, b) => a - b);
  return first === undefined ? undefined : [...text.slice(0, first)].length + 1;
}
