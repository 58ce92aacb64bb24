import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { SettingValue } from "../../api/setting.ts";

/** Plain values, of which at least one fits every setting. */
const candidates: readonly SettingValue[] = [
  ...[true, false],
  ...[2, 3, 4, 1, 0, 10, 13, 14, 60, 100, 101, 122, 140, 300, 3600],
  ...["Europe/Oslo", "de", "python", "https://calls.example.com", "ding", "never", "always", "Some *text*"],
  null,
];

/** A value that the schema allows and that differs from the given one; undefined where there is only one. */
export function otherValue(schema: TSchema, value: unknown): SettingValue | undefined {
  const validator = Compile(schema);
  const allowed = (schema as { enum?: SettingValue[] }).enum ?? candidates;
  const other = allowed.find((candidate) => candidate !== value && validator.Check(candidate));
  if (other === undefined && allowed.length > 1)
    throw new Error(`no other value for ${JSON.stringify(schema)} is known; add a candidate`);
  return other;
}
