import type { TSchema } from "typebox";

/**
 * A copy of a schema whose objects, at any depth, allow only declared fields. An object can allow others by
 * `additionalProperties`. Clients must ignore unknown fields, but our own responses must declare every field.
 */
export function strictSchema(schema: TSchema): TSchema {
  return close(JSON.parse(JSON.stringify(schema)), false);
}

type Node = Record<string, unknown>;

/**
 * `isPart`: one of several schemas that describe the same object together, which only the whole can close.
 */
function close(node: Node, isPart: boolean): Node {
  const result: Node = {};
  for (const [keyword, value] of Object.entries(node)) result[keyword] = closeKeyword(keyword, value);
  const isOpen =
    "additionalProperties" in node || "patternProperties" in node || "unevaluatedProperties" in node;
  if (node.allOf) result.unevaluatedProperties ??= false;
  else if (node.type === "object" && !isOpen && !isPart) result.additionalProperties = false;
  return result;
}

function closeKeyword(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case "properties":
    case "patternProperties":
    case "$defs":
      return Object.fromEntries(
        Object.entries(value as Node).map(([name, schema]) => [name, closeAny(schema)]),
      );
    case "allOf":
      return (value as Node[]).map((schema) => close(schema, true));
    case "anyOf":
    case "oneOf":
    case "items":
    case "prefixItems":
      return Array.isArray(value) ? value.map(closeAny) : closeAny(value);
    case "additionalProperties":
      return closeAny(value);
    default:
      return value;
  }
}

function closeAny(schema: unknown): unknown {
  return typeof schema === "object" && schema !== null ? close(schema as Node, false) : schema;
}
