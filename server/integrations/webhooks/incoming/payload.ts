import { isUtf8 } from "node:buffer";
import { ApiError, errors } from "../../../../api/errors.ts";
import { lastText } from "../../../platform/http/form.ts";
import { isTooDeep } from "../../../platform/http/json-flaw.ts";
import type { RawBody } from "../../../platform/http/raw-body.ts";

/** Deeper than what any known program sends, and far less than what would exhaust the stack. */
const MAX_DEPTH = 60;

/**
 * The payload: JSON in the field `payload`, or else the fields of a form, or else the body as JSON. Throws
 * `malformedPayload`.
 */
export function readPayload({ bytes, form }: RawBody, field: string | undefined): unknown {
  if (field !== undefined) return parseJson(field);
  if (!form) return parseJson(isUtf8(bytes) ? bytes.toString("utf8") : "");
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [name, lastText(value)]));
}

function parseJson(text: string): unknown {
  if (isTooDeep(text, MAX_DEPTH)) throw new ApiError(errors.malformedPayload);
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(errors.malformedPayload);
  }
}
