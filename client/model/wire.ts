/**
 * Where the words of the wire become the model's: names in camelCase, and other words where the code has its
 * own.
 */
import { camelCase } from "../../api/endpoint.ts";

export type WireObject = Readonly<Record<string, unknown>>;

/** Who may do something: a group, or people and groups without a name (spec Conventions 6). */
export type GroupSetting = number | { directMembers: readonly number[]; directSubgroups: readonly number[] };

/** Gives each field its name in the model. A field that is new on the wire gets one mechanically. */
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

/** Values stay as they are, except for groups without a name. */
export function readValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("direct_members" in value)) return value;
  const { direct_members, direct_subgroups } = value as {
    direct_members: number[];
    direct_subgroups: number[];
  };
  return { directMembers: direct_members, directSubgroups: direct_subgroups } satisfies GroupSetting;
}

/** A section of a snapshot; empty when it was not asked for. */
export function section<Row = WireObject>(snapshot: WireObject, key: string): readonly Row[] {
  return (snapshot[key] as readonly Row[] | undefined) ?? [];
}
