/**
 * What a file counts as. Browsers may show only the types that are listed here, because none of them can run
 * a script. HTML and SVG are not among them. A file whose bytes are not what its name says counts as nothing
 * in particular, and is downloaded.
 */
import { open } from "node:fs/promises";
import { formatOfHead, type ImageFormat } from "../../platform/images/image-format.ts";

export const ANY_TYPE = "application/octet-stream";
const HEAD_BYTES = 32;

const pictureTypes: Record<ImageFormat, string> = {
  png: "image/png",
  gif: "image/gif",
  jpeg: "image/jpeg",
  webp: "image/webp",
  avif: "image/avif",
};
const PICTURE_ENDINGS = new Set(["png", "gif", "jpg", "jpeg", "jpe", "webp", "avif"]);

interface Shown {
  type: string;
  /** How such a file begins. */
  begins(head: Buffer): boolean;
}

const text = (head: Buffer, start: number, end: number) => head.toString("latin1", start, end);
const isText = (head: Buffer) => !head.includes(0);
const isMp4 = (head: Buffer) => text(head, 4, 8) === "ftyp";
const isOgg = (head: Buffer) => text(head, 0, 4) === "OggS";
const isMp3 = (head: Buffer) =>
  text(head, 0, 3) === "ID3" || (head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0);
const plain: Shown = { type: "text/plain; charset=utf-8", begins: isText };
const oggSound: Shown = { type: "audio/ogg", begins: isOgg };

const byEnding: Readonly<Record<string, Shown>> = {
  mp4: { type: "video/mp4", begins: isMp4 },
  webm: { type: "video/webm", begins: (head) => text(head, 0, 4) === "\x1aE\xdf\xa3" },
  ogv: { type: "video/ogg", begins: isOgg },
  ogg: oggSound,
  oga: oggSound,
  opus: oggSound,
  mp3: { type: "audio/mpeg", begins: isMp3 },
  wav: { type: "audio/wav", begins: (head) => text(head, 0, 4) === "RIFF" && text(head, 8, 12) === "WAVE" },
  flac: { type: "audio/flac", begins: (head) => text(head, 0, 4) === "fLaC" },
  m4a: { type: "audio/mp4", begins: isMp4 },
  pdf: { type: "application/pdf", begins: (head) => text(head, 0, 5) === "%PDF-" },
  txt: plain,
  log: plain,
  md: plain,
};

const shown = new Set([...Object.values(pictureTypes), ...Object.values(byEnding).map(({ type }) => type)]);

/** Whether a browser may show files of this type. All others are downloaded. */
export function isShown(contentType: string): boolean {
  return shown.has(contentType);
}

/** The type of a file by its bytes and its name. What its sender says of it does not count. */
export async function contentTypeOf(path: string, fileName: string): Promise<string> {
  return typeOf(await headOf(path), fileName);
}

export function typeOf(head: Buffer, fileName: string): string {
  const ending = /\.([A-Za-z0-9]+)$/.exec(fileName)?.[1]?.toLowerCase();
  const format = formatOfHead(head);
  if (format) return ending === undefined || PICTURE_ENDINGS.has(ending) ? pictureTypes[format] : ANY_TYPE;
  const named = ending !== undefined && Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined;
  return named?.begins(head) ? named.type : ANY_TYPE;
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
