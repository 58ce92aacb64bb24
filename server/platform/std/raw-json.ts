/** JSON that is written already: put into an answer as it is, so that large parts are written once and kept. */
export class RawJson {
  #text: string | undefined;
  #bytes: Buffer | undefined;

  /** Bytes are UTF-8. */
  constructor(json: string | Buffer) {
    if (typeof json === "string") this.#text = json;
    else this.#bytes = json;
  }

  /** About how much it is: in characters or in bytes. */
  get length(): number {
    return (this.#text ?? this.bytes).length;
  }

  get text(): string {
    this.#text ??= this.bytes.toString();
    return this.#text;
  }

  /** As UTF-8, kept too: megabytes would take longer to encode than all the rest of an answer to write. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.#text as string);
    return this.#bytes;
  }
}

/** A JSON object from fields, some of which may be written already. */
export function writeObject(fields: Readonly<Record<string, unknown>>): string {
  return `{${writeMembers(fields)
    .map((piece) => (typeof piece === "string" ? piece : piece.text))
    .join("")}}`;
}

/** What stands between an object's brackets, in pieces; what was written already is one of its own. */
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
