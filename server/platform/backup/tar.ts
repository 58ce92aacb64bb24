/**
 * Reads the tar archive that PostgreSQL sends: plain files and directories, with names of at most 99
 * bytes.
 */

const BLOCK = 512;

export interface TarEntry {
  name: string;
  isDirectory: boolean;
  mode: number;
  size: number;
  /** To be read to its end before the next entry is asked for. */
  content: AsyncIterable<Buffer>;
}

/** Throws if the archive ends early, or has something other than files and directories. */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(chunks);
  for (;;) {
    const header = await bytes.exactly(BLOCK);
    if (header[0] === 0) break;
    const entry = parseHeader(header);
    const { size } = entry;
    yield { ...entry, content: bytes.upTo(size) };
    if (size % BLOCK !== 0) await bytes.exactly(BLOCK - (size % BLOCK));
  }
  await bytes.skipRest();
}

const FILE = ["0", "\0"];
const DIRECTORY = "5";

function parseHeader(header: Buffer): Omit<TarEntry, "content"> {
  const type = String.fromCharCode(header[156] as number);
  const name = textAt(header, 0, 100);
  if (type !== DIRECTORY && !FILE.includes(type))
    throw new Error(`the database's copy has ${name}, which is neither a file nor a directory`);
  return {
    name: name.replace(/^\.\//, "").replace(/\/$/, ""),
    isDirectory: type === DIRECTORY,
    mode: octalAt(header, 100, 8),
    size: octalAt(header, 124, 12),
  };
}

function textAt(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? length : end).toString("utf8");
}

function octalAt(header: Buffer, start: number, length: number): number {
  const value = Number.parseInt(textAt(header, start, length).trim(), 8);
  if (Number.isNaN(value)) throw new Error("the header of a file in the database's copy is damaged");
  return value;
}

class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async exactly(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.upTo(length)) parts.push(part);
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  async *upTo(length: number): AsyncGenerator<Buffer> {
    let left = length;
    while (left > 0) {
      if (this.#rest.length === 0) await this.#fill();
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async skipRest(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }

  async #fill(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (done) throw new Error("the database's copy ended early");
    this.#rest = value;
  }
}
