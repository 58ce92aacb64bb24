import { isUtf8 } from "node:buffer";
import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_FIELDS } from "./form.ts";
import { isTooDeep, MAX_DEPTH } from "./json-flaw.ts";

/**
 * The members of a JSON object that is a request's body. A class of its own, since a list here is one value,
 * and a list of texts in a form is a repeated name. A Map, so every name, `__proto__` included, is ordinary.
 */
export class JsonFields {
  readonly members: ReadonlyMap<string, unknown>;

  constructor(members: ReadonlyMap<string, unknown>) {
    this.members = members;
  }
}

/**
 * Parses a body of the type application/json. Returns undefined for an empty one: many programs name the type
 * of a body that they do not send. Throws an ApiError that says what is wrong with the body.
 *
 * The members are not checked here. Each is checked as a parameter, so an error names it.
 */
export function parseJsonBody(bytes: Buffer): JsonFields | undefined {
  if (bytes.length === 0) return undefined;
  const text = isUtf8(bytes) ? bytes.toString("utf8") : "";
  // A parameter may be MAX_DEPTH deep, and is inside the object.
  if (isTooDeep(text, MAX_DEPTH + 1)) throw new ApiError(errors.bodyTooDeep);
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ApiError(errors.bodyNotObject);
  }
  const members = Object.entries(value);
  if (members.length > MAX_FIELDS) throw new ApiError(errors.unreadableBody);
  return new JsonFields(new Map(members));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(errors.bodyNotJson);
  }
}
