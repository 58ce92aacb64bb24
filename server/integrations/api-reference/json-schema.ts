import type { TSchema } from "typebox";

type Node = Record<string, unknown>;

/**
 * Writes the contract's schemas for OpenAPI 3.1, which uses JSON Schema 2020-12. A schema with a name of its
 * own (`$id`, or an entry of `$defs`) becomes a component, which is written once and referred to.
 */
export class SchemaWriter {
  readonly components: Record<string, Node> = {};

  write(schema: TSchema): Node {
    const node = schema as Node;
    const name = node.$id;
    if (typeof name !== "string") return this.#writeNode(node);
    this.#addComponent(name, node);
    return { $ref: reference(name) };
  }

  #addComponent(name: string, node: Node): void {
    if (name in this.components) return;
    // Claimed before it is written: it may refer to itself.
    this.components[name] = {};
    const { $id, ...unnamed } = node;
    this.components[name] = this.#writeNode(unnamed);
  }

  #writeNode(node: Node): Node {
    const written: Node = {};
    for (const [keyword, value] of Object.entries(node)) {
      if (keyword === "$defs") for (const [name, part] of entries(value)) this.#addComponent(name, part);
      else Object.assign(written, this.#writeKeyword(keyword, value));
    }
    return written;
  }

  /** Constants among the choices are written as one `enum`, which code generators know better. */
  #writeChoice(choices: readonly TSchema[]): Node {
    const flat = choices.flatMap(innerChoices);
    const constants = flat.filter(isConstant);
    if (constants.length < 2) return { anyOf: choices.map((choice) => this.write(choice)) };
    const values = [...new Set(constants.map((each) => each.const))];
    const types = [...new Set(values.map((value) => (typeof value === "number" ? "integer" : typeof value)))];
    const all: Node = { type: types.length === 1 ? types[0] : types, enum: values };
    const others = flat.filter((choice) => !isConstant(choice)).map((choice) => this.write(choice));
    return others.length === 0 ? all : { anyOf: [...others, all] };
  }

  #writeKeyword(keyword: string, value: unknown): Node {
    switch (keyword) {
      case "$ref":
        return { $ref: reference(String(value).replace(/^#/, "")) };
      case "properties":
      case "patternProperties":
        return {
          [keyword]: Object.fromEntries(entries(value).map(([name, part]) => [name, this.write(part)])),
        };
      case "anyOf":
        return this.#writeChoice(value as TSchema[]);
      case "allOf":
      case "oneOf":
        return { [keyword]: (value as TSchema[]).map((part) => this.write(part)) };
      case "items":
        // A tuple: in 2020-12 its parts are prefixItems, and items is what may follow.
        if (Array.isArray(value)) return { prefixItems: value.map((part) => this.write(part)), items: false };
        return { items: this.write(value as TSchema) };
      case "additionalItems":
        return {};
      case "additionalProperties":
        return { additionalProperties: typeof value === "object" ? this.write(value as TSchema) : value };
      default:
        return { [keyword]: value };
    }
  }
}

function entries(value: unknown): [string, Node][] {
  return Object.entries(value as Record<string, Node>);
}

function reference(name: string): string {
  return `#/components/schemas/${encodeURIComponent(name)}`;
}

/** A choice between choices is one choice, unless it has a name or says something of its own. */
function innerChoices(choice: TSchema): TSchema[] {
  const { anyOf, ...more } = choice as Node & { anyOf?: TSchema[] };
  return anyOf && Object.keys(more).length === 0 ? anyOf.flatMap(innerChoices) : [choice];
}

/** Constants that say what they mean stay apart. */
function isConstant(choice: TSchema): choice is TSchema & { const: string | number | boolean } {
  const { const: value, type: _type, ...more } = choice as Node;
  return ["string", "number", "boolean"].includes(typeof value) && Object.keys(more).length === 0;
}
