import type { TSchema } from "typebox";

interface Facts {
  type?: string;
  anyOf?: TSchema[];
  enum?: unknown[];
  const?: unknown;
  items?: TSchema;
  minimum?: number;
  maximum?: number;
}

/**
 * Describes the valid values for people: "an integer from 0 to 5000". The text follows "is not" in a message.
 */
export function describeSchema(schema: TSchema): string {
  const facts = schema as Facts;
  if (facts.const !== undefined) return JSON.stringify(facts.const);
  if (facts.enum) return oneOf(facts.enum.map((value) => JSON.stringify(value)));
  if (facts.anyOf) return oneOf([...new Set(facts.anyOf.map(describeSchema))]);
  switch (facts.type) {
    case "integer":
      return `an integer${range(facts)}`;
    case "number":
      return `a number${range(facts)}`;
    case "boolean":
      return "a boolean";
    case "string":
      return "a valid text";
    case "null":
      return "null";
    case "array":
      return facts.items ? `a list whose every item is ${describeSchema(facts.items)}` : "a list";
    case "object":
      return "an object of the documented form";
    default:
      return "of the documented form";
  }
}

function range({ minimum, maximum }: Facts): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

function oneOf(choices: string[]): string {
  const last = choices[choices.length - 1] as string;
  return choices.length === 1 ? last : `${choices.slice(0, -1).join(", ")} or ${last}`;
}
