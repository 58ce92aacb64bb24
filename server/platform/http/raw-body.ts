import type { IncomingHttpHeaders } from "node:http";
import type { Fields } from "./form.ts";
import { JsonFields } from "./json-body.ts";

/** Headers that no handler needs and that hold secrets of the caller. */
const WITHHELD = new Set(["authorization", "cookie", "proxy-authorization"]);

/** A body in another program's format, as it came, with the headers that describe it. */
export class RawBody {
  readonly bytes: Buffer;
  /** The fields, if the body is a form. */
  readonly form: Fields | undefined;
  readonly #headers: IncomingHttpHeaders;

  constructor(bytes: Buffer, fields: Fields | JsonFields | undefined, headers: IncomingHttpHeaders) {
    this.bytes = bytes;
    this.form = fields instanceof JsonFields ? undefined : fields;
    this.#headers = headers;
  }

  /** A header by its name in any case. Never one with credentials. */
  header(name: string): string | undefined {
    const key = name.toLowerCase();
    const value = WITHHELD.has(key) ? undefined : this.#headers[key];
    return typeof value === "string" ? value : value?.join(", ");
  }
}

/**
 * The form whose fields are parameters too. A form without `payload` is the sender's data: its fields may be
 * named like parameters.
 */
export function parametersOf({ form }: RawBody): Fields | undefined {
  return form !== undefined && "payload" in form ? form : undefined;
}
