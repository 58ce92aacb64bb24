const known = new Map<string, string>();
const MAX_KNOWN = 2000;

/** snake_case to camelCase, for a parameter's name. */
export function camelCase(name: string): string {
  let changed = known.get(name);
  if (changed === undefined) {
    changed = change(name);
    if (known.size < MAX_KNOWN) known.set(name, changed);
  }
  return changed;
}

function change(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The same for types. */
export type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;
