/**
 * Decodes the texts of a request into a handler's parameters (spec Conventions 2).
 *
 * A parameter is the text of a field, or a member of a JSON object. A string in JSON is read as the text of a
 * field is, so a list may also be written as text there. Every other value in JSON is used as it is.
 *
 * For every method, a parameter may be in the query or in the body. The body takes precedence over the query,
 * and the last value of a repeated name over earlier ones. A path parameter that is repeated elsewhere is
 * ignored. Parameters are read in the order of their declaration. So a request with several errors always
 * gets the same error response.
 */
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { camelCase } from "../../../api/camel-case.ts";
import type { Encoding, Parameter, Parameters } from "../../../api/endpoint.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { describeSchema } from "./describe-schema.ts";
import { type Fields, lastText } from "./form.ts";
import { JsonFields } from "./json-body.ts";
import { isTooDeep, jsonFlaw, NUL_CHARACTER, TOO_DEEP } from "./json-flaw.ts";

export interface Decoded {
  /** By their names in camelCase. Parameters that the request does not have are absent. */
  params: Record<string, unknown>;
  /** Names that the endpoint does not declare, each once (spec Conventions 4). */
  unsupported: string[] | undefined;
  /** COMPAT: as upstream, any request may name its client program. That is not an unknown parameter. */
  client: string | undefined;
}

/** The router's name for a last path parameter that may hold slashes. */
export const WILDCARD = "*";

/** The most characters of a refused value that an error shows: enough to recognize the value. */
const MAX_ECHO = 1000;

/** What a declaration says is compiled once in a process, whatever the number of its servers. */
const decoders = new WeakMap<Parameters, Decoder>();

export function decoderOf(parameters: Parameters): Decoder {
  const known = decoders.get(parameters);
  if (known) return known;
  const decoder = new Decoder(parameters);
  decoders.set(parameters, decoder);
  return decoder;
}

export class Decoder {
  readonly #slots: readonly Slot[];
  readonly #byName = new Map<string, Slot>();
  readonly #clientSlot: boolean;

  constructor(parameters: Parameters) {
    this.#slots = Object.entries(parameters).map(([name, parameter], index) =>
      slotOf(name, parameter, index),
    );
    for (const slot of this.#slots) {
      this.#byName.set(slot.name, slot);
      for (const alias of slot.aliases) this.#byName.set(alias, slot);
    }
    this.#clientSlot = this.#byName.has("client");
  }

  /** Throws the ApiError of the first parameter that is missing or can't be read. */
  decode(
    path: Fields | undefined,
    query: Fields | undefined,
    body: Fields | JsonFields | undefined,
  ): Decoded {
    const decoded: Decoded = { params: {}, unsupported: undefined, client: undefined };
    const given = new Given(this.#slots.length);
    if (query) this.#collect(query, given, decoded);
    if (body instanceof JsonFields) this.#collectMembers(body, given, decoded);
    else if (body) this.#collect(body, given, decoded);
    for (const slot of this.#slots) {
      const raw = slot.inPath ? pathText(path, slot.name) : given.values[slot.index];
      const value = raw === undefined ? undefined : read(slot, given.nameOf(slot), raw);
      if (value !== undefined) decoded.params[slot.camelName] = value;
      else if (slot.required) throw new ApiError(errors.missingParameter, { name: slot.name });
    }
    return decoded;
  }

  #collect(fields: Fields, given: Given, decoded: Decoded): void {
    for (const name in fields) this.#take(name, lastText(fields[name] as string | string[]), given, decoded);
  }

  #collectMembers({ members }: JsonFields, given: Given, decoded: Decoded): void {
    for (const [name, value] of members) {
      const flaw = typeof value === "string" ? jsonFlaw(value) : undefined;
      this.#take(name, flaw === undefined ? value : new FlawedText(value as string, flaw), given, decoded);
    }
  }

  #take(name: string, value: unknown, given: Given, decoded: Decoded): void {
    const slot = this.#byName.get(name);
    if (slot) {
      if (!slot.inPath && !slot.ignored) given.take(slot, name, value);
    } else if (name === "client" && !this.#clientSlot) {
      if (typeof value === "string") decoded.client = value;
    } else if (!decoded.unsupported) {
      decoded.unsupported = [name];
    } else if (!decoded.unsupported.includes(name)) {
      decoded.unsupported.push(name);
    }
  }
}

interface Slot {
  index: number;
  name: string;
  camelName: string;
  aliases: readonly string[];
  required: boolean;
  inPath: boolean;
  ignored: boolean;
  encoding: Encoding;
  invalid: Parameter["invalid"];
  accepts(value: unknown): boolean;
  maxLength: number | undefined;
  expected: string;
}

function slotOf(name: string, parameter: Parameter, index: number): Slot {
  // Compiled when a value is first checked. To compile all at the start would take half a second and 20 MB.
  let validator: { Check(value: unknown): boolean } | undefined;
  return {
    index,
    name,
    camelName: camelCase(name),
    aliases: parameter.aliases,
    required: parameter.required,
    inPath: parameter.inPath,
    ignored: parameter.ignored,
    encoding: parameter.encoding,
    invalid: parameter.invalid,
    accepts(value) {
      validator ??= Compile(parameter.schema);
      return validator.Check(value);
    },
    maxLength: (parameter.schema as TSchema & { maxLength?: number }).maxLength,
    expected: describeSchema(parameter.schema),
  };
}

/** A string of a JSON body with half characters or NUL. Text that was decoded from bytes has no halves. */
class FlawedText {
  readonly text: string;
  readonly flaw: string;

  constructor(text: string, flaw: string) {
    this.text = text;
    this.flaw = flaw;
  }
}

/** What a request gives for each parameter, at its slot's index: a text, or another value of a JSON body. */
class Given {
  readonly values: unknown[];
  /** For slots with several names, the name that the request uses. */
  #names: Map<Slot, string> | undefined;

  constructor(size: number) {
    this.values = new Array<unknown>(size).fill(undefined);
  }

  nameOf(slot: Slot): string {
    return this.#names?.get(slot) ?? slot.name;
  }

  take(slot: Slot, name: string, value: unknown): void {
    this.values[slot.index] = value;
    if (slot.aliases.length === 0) return;
    this.#names ??= new Map();
    const first = this.#names.get(slot);
    if (first === undefined) this.#names.set(slot, name);
    else if (first !== name) throw new ApiError(errors.conflictingParameters, { first, second: name });
  }
}

function pathText(path: Fields | undefined, name: string): string | undefined {
  const value = path?.[name] ?? path?.[WILDCARD];
  return value === undefined ? undefined : lastText(value);
}

/** Returns undefined if the value counts as not given. */
function read(slot: Slot, name: string, raw: unknown): unknown {
  if (typeof raw !== "string") return readValue(slot, name, raw);
  switch (slot.encoding) {
    case "text":
      return readText(slot, name, raw);
    case "json":
      return readJson(slot, name, raw);
    case "either":
      return readEither(slot, name, raw);
  }
}

/** Reads a value of a JSON body that is not a sound text. */
function readValue(slot: Slot, name: string, value: unknown): unknown {
  if (value instanceof FlawedText) throw refusal(slot, name, value.text, value.flaw);
  if (value === null && !slot.accepts(null)) return undefined;
  const flaw = jsonFlaw(value);
  if (!flaw && slot.accepts(value)) return value;
  throw refusal(slot, name, JSON.stringify(value), flaw ?? slot.expected);
}

/** Needs no check for lone surrogates: text that was decoded from bytes has none. */
function readText(slot: Slot, name: string, text: string): string {
  if (text.includes("\0")) throw refusal(slot, name, text, NUL_CHARACTER);
  if (slot.accepts(text)) return text;
  if (slot.maxLength !== undefined && slot.invalid === "bad-request" && isLonger(text, slot.maxLength)) {
    throw new ApiError(errors.tooLong, { name, limit: slot.maxLength });
  }
  throw refusal(slot, name, text, slot.expected);
}

function readJson(slot: Slot, name: string, text: string): unknown {
  const value = parseJson(slot, name, text);
  if (value === NOT_JSON) throw refusal(slot, name, text, NOT_JSON);
  if (value === null && !slot.accepts(null)) return undefined;
  const flaw = jsonFlaw(value);
  if (flaw) throw refusal(slot, name, text, flaw);
  if (slot.accepts(value)) return value;
  throw refusal(slot, name, text, slot.expected);
}

function readEither(slot: Slot, name: string, text: string): unknown {
  const value = parseJson(slot, name, text);
  if (value !== NOT_JSON && (value !== null || slot.accepts(null))) {
    const flaw = jsonFlaw(value);
    if (!flaw && slot.accepts(value)) return value;
    // A list or an object with a flaw is not a name, so its flaw is the error.
    if (flaw && typeof value === "object") throw refusal(slot, name, text, flaw);
  }
  if (text.includes("\0")) throw refusal(slot, name, text, NUL_CHARACTER);
  if (slot.accepts(text)) return text;
  if (value === null) return undefined;
  throw refusal(slot, name, text, slot.expected);
}

const NOT_JSON = Symbol("not JSON");
/** Most names are not JSON, and an exception from the parser is expensive. */
const MAY_BE_JSON = /^[\s{["\-\dtfn]/;

function parseJson(slot: Slot, name: string, text: string): unknown {
  if (!MAY_BE_JSON.test(text)) return NOT_JSON;
  if (isTooDeep(text)) throw refusal(slot, name, text, TOO_DEEP);
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

function refusal(slot: Slot, name: string, text: string, flaw: string | typeof NOT_JSON): Error {
  if (slot.invalid === "variable-invalid") {
    return new ApiError(errors.invalidParameter, { name, value: text.slice(0, MAX_ECHO) });
  }
  if (flaw === NOT_JSON) return new ApiError(errors.notJson, { name });
  if (flaw === NUL_CHARACTER) return new ApiError(errors.nulCharacter, { name });
  return new ApiError(errors.wrongType, { name, expected: flaw as string });
}

function isLonger(text: string, limit: number): boolean {
  return [...text.slice(0, 2 * limit + 2)].length > limit;
}
