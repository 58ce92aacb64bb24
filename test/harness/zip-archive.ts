/** Zip files byte by byte, so that a test can make wrong ones too. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  name: string;
  content: string | Buffer;
  /** Mode of Unix, with the kind of file. */
  mode?: number;
  flags?: number;
  method?: number;
  /** What the directory says, in place of the truth. */
  size?: number;
  sum?: number;
  /** Whether its sizes and its place are in an extra field. */
  isZip64?: boolean;
}

const ALL_ONES = 0xffff_ffff;

export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const bytes = Buffer.from(entry.content);
    const { flags = 0, method = 8, size = bytes.length, sum = crc32(bytes), isZip64 = false } = entry;
    const packed = method === 0 ? bytes : deflateRawSync(bytes);
    const name = Buffer.from(entry.name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(sum, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size % 2 ** 32, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), common, name, packed]);
    const extra = isZip64 ? zip64Extra(size, packed.length, offset) : Buffer.alloc(0);
    const mine = Buffer.from(common);
    mine.writeUInt16LE(extra.length, 24);
    if (isZip64) {
      mine.writeUInt32LE(ALL_ONES, 14);
      mine.writeUInt32LE(ALL_ONES, 18);
    }
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 6);
    rest.writeUInt32LE(isZip64 ? ALL_ONES : offset, 10);
    const madeBy = Buffer.from([20, 3]);
    directory.push(Buffer.from("PK\u0001\u0002", "latin1"), madeBy, mine, rest, name, extra);
    locals.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, index, Buffer.from("PK\u0005\u0006", "latin1"), end]);
}

function zip64Extra(size: number, packed: number, offset: number): Buffer {
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  extra.writeBigUInt64LE(BigInt(size), 4);
  extra.writeBigUInt64LE(BigInt(packed), 12);
  extra.writeBigUInt64LE(BigInt(offset), 20);
  return extra;
}
