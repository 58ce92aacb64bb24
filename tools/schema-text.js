// Schemas as TypeScript text, for the client's package.

/** @typedef {Record<string, any>} Schema as JSON Schema writes it */
/** @typedef {{ name: string, type: string, isRequired: boolean, description?: string }} Field */

/** @param {Schema} schema @param {string} [indent] of the line that it begins on @returns {string} */
export function typeText(schema, indent = "") {
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return unionText(schema.enum.map((/** @type {unknown} */ one) => JSON.stringify(one)));
  if (schema.anyOf) return unionText(schema.anyOf.map((/** @type {Schema} */ one) => typeText(one, indent)));
  if (schema.not) return "never";
  switch (schema.type) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "array":
      return arrayText(schema.items, indent);
    case "object":
      return objectText(schema, indent);
    // Any value at all, as the audit log has before and after a change.
    case undefined:
      if (Object.keys(schema).every((name) => name === "description")) return "unknown";
  }
  throw new Error(`There is no TypeScript for the schema ${JSON.stringify(schema)}.`);
}

/** @param {Schema | Schema[]} items @param {string} indent @returns {string} */
function arrayText(items, indent) {
  if (Array.isArray(items)) return `[${items.map((item) => typeText(item, indent)).join(", ")}]`;
  const text = typeText(items, indent);
  return items.anyOf || items.enum ? `(${text})[]` : `${text}[]`;
}

/** @param {Schema} schema @param {string} indent @returns {string} */
function objectText(schema, indent) {
  const [values] = Object.values(schema.patternProperties ?? {});
  return values
    ? `Record<string, ${typeText(values, indent)}>`
    : fieldsText(fieldsOf(schema, indent), indent);
}

/** @param {Schema} schema an object's @param {string} [indent] @returns {Field[]} */
export function fieldsOf({ properties = {}, required = [] }, indent = "") {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeText(schema, `${indent}  `),
    isRequired: required.includes(name),
    description: schema.description,
  }));
}

/** @param {readonly Field[]} fields */
export function fieldsText(fields, indent = "") {
  const inner = `${indent}  `;
  const lines = fields.map(
    ({ name, type, isRequired, description }) =>
      `${description ? commentText([description], inner) : ""}${inner}${keyText(name)}${isRequired ? "" : "?"}: ${type};\n`,
  );
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

/** @param {readonly string[]} members */
export function unionText(members, separator = " ") {
  const lead = separator === " " ? "" : `${separator}| `;
  return lead + [...new Set(members)].join(`${separator}| `);
}

/** @param {readonly string[]} paragraphs */
export function commentText(paragraphs, indent = "") {
  const text = paragraphs.join("\n").replaceAll("*/", "*\\/");
  const lines = text.split("\n");
  if (lines.length === 1) return `${indent}/** ${text} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}

/** @param {string} name */
export function keyText(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
