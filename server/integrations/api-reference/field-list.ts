import type { TProperties, TSchema } from "typebox";

/** One row of a table of fields. Nested fields follow the field that contains them. */
export interface Field {
  /** With a dot before each nested name, `[]` for the entries of a list and `{}` for the values of a map. */
  path: string;
  type: string;
  isOptional: boolean;
  description: string;
}

/** All fields of an object, down to the innermost, in their order. */
export function listFields(properties: TProperties, required: readonly string[], prefix = ""): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const { description = "" } = schema as { description?: string };
    return [
      { path, type: typeText(schema), isOptional: !required.includes(name), description },
      ...insideFields(schema, path),
    ];
  });
}

function insideFields(schema: TSchema, path: string): Field[] {
  const { properties, required = [], items, anyOf, allOf, patternProperties } = schema as Loose;
  return [
    ...(properties ? listFields(properties, required, `${path}.`) : []),
    ...[items ?? []].flat().flatMap((part) => insideFields(part, `${path}[]`)),
    ...[...(anyOf ?? []), ...(allOf ?? [])].flatMap((part) => insideFields(part, path)),
    ...Object.values(patternProperties ?? {}).flatMap((part) => insideFields(part, `${path}{}`)),
  ];
}

/** A short description of a type: `integer`, `string or null`, `list of objects`. */
export function typeText(schema: TSchema): string {
  const node = schema as Loose;
  if (node.anyOf) return [...new Set(node.anyOf.map(typeText))].join(" or ");
  if ("const" in node) return JSON.stringify(node.const);
  if (node.enum) return node.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (node.type === "array") {
    if (Array.isArray(node.items)) return `list of ${node.items.map(typeText).join(", then ")}`;
    return node.items ? `list of ${plural(typeText(node.items))}` : "list";
  }
  if (node.patternProperties) {
    const [value] = Object.values(node.patternProperties);
    return value ? `map to ${plural(typeText(value))}` : "map";
  }
  if (node.allOf || node.properties) return "object";
  return node.type ?? "any value";
}

interface Loose {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  properties?: TProperties;
  required?: string[];
  items?: TSchema | TSchema[];
  anyOf?: TSchema[];
  allOf?: TSchema[];
  patternProperties?: TProperties;
}

function plural(type: string): string {
  return /^[a-z]+$/.test(type) ? `${type}s` : `(${type})`;
}
