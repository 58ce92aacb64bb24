/** Translates names from the wire to the model: camelCase, and the code's own word where it has one. */
import { camelCase } from "../../api/camel-case.ts";

export type WireObject = Readonly<Record<string, unknown>>;

/** The value of a permission: a group, or a list of people and groups (spec Conventions 6). */
export type GroupSetting = number | { directMembers: readonly number[]; directSubgroups: readonly number[] };

/** Gives each field its name in the model. Unknown fields are renamed mechanically. */
export function readFields<Model>(
  wire: WireObject,
  renamed: Readonly<Record<string, keyof Model & string>>,
): Model {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(wire)) {
    fields[readName(name, renamed)] = readValue(value);
  }
  return fields as Model;
}

export function readName(name: string, renamed: Readonly<Record<string, string>>): string {
  return Object.hasOwn(renamed, name) ? (renamed[name] as string) : camelCase(name);
}

/** Values stay as they are, except lists of people and groups. */
export function readValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("direct_members" in value)) return value;
  const { direct_members, direct_subgroups } = value as {
    direct_members: number[];
    direct_subgroups: number[];
  };
  return { directMembers: direct_members, directSubgroups: direct_subgroups } satisfies GroupSetting;
}

/** A section of a snapshot; empty if it was not requested. */
export function section<Row = WireObject>(snapshot: WireObject, key: string): readonly Row[] {
  return (snapshot[key] as readonly Row[] | undefined) ?? [];
}
