import { deflated } from "./deflate.ts";

/** JSON that is serialized already. It is inserted into a response as it is, so large parts can be cached. */
export class RawJson {
  #text: string | undefined;
  #bytes: Buffer | undefined;
  #pieces: readonly Buffer[] | undefined;
  #parts: Promise<readonly Buffer[]> | undefined;

  /** Buffers hold UTF-8. Those of a list follow each other. */
  constructor(json: string | Buffer | readonly Buffer[]) {
    if (typeof json === "string") this.#text = json;
    else if (Buffer.isBuffer(json)) this.#bytes = json;
    else this.#pieces = json;
  }

  /** The approximate length: in characters if it was made from a string, else in bytes. */
  get length(): number {
    if (this.#pieces) return this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
    return (this.#text ?? this.bytes).length;
  }

  get text(): string {
    this.#text ??= this.bytes.toString();
    return this.#text;
  }

  /** As UTF-8, cached: to encode megabytes would take longer than to write all the rest of a response. */
  get bytes(): Buffer {
    this.#bytes ??= this.#pieces ? Buffer.concat(this.#pieces) : Buffer.from(this.#text as string);
    return this.#bytes;
  }

  /** The same bytes in pieces, for a writer that need not copy them. */
  get pieces(): readonly Buffer[] {
    return this.#pieces ?? [this.bytes];
  }

  /** The same bytes as parts of a gzip file, made once: see `deflate.ts`. */
  parts(): Promise<readonly Buffer[]> {
    this.#parts ??= this.makeParts();
    return this.#parts;
  }

  protected async makeParts(): Promise<readonly Buffer[]> {
    return [await deflated(this.bytes, 1)];
  }
}

/** Serializes an object, of which some fields may be RawJson. */
export function writeObject(fields: Readonly<Record<string, unknown>>): string {
  return `{${writeMembers(fields)
    .map((piece) => (typeof piece === "string" ? piece : piece.text))
    .join("")}}`;
}

/** The text between an object's braces, in pieces. Each RawJson is a piece of its own. */
export function writeMembers(fields: Readonly<Record<string, unknown>>): (string | RawJson)[] {
  const pieces: (string | RawJson)[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const key = `${pieces.length === 0 ? "" : ","}${JSON.stringify(name)}:`;
    if (value instanceof RawJson) pieces.push(key, value);
    else pieces.push(key + JSON.stringify(value));
  }
  return pieces;
}
