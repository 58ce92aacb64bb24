import { open } from "node:fs/promises";

/** The formats that are read. Everything else is refused, whatever its name or Content-Type says. */
export type ImageFormat = "png" | "gif" | "jpeg" | "webp" | "avif";

const HEAD_BYTES = 32;

/** The format of a file by its first bytes. undefined: none of those that are read. */
export async function formatOf(path: string): Promise<ImageFormat | undefined> {
  const file = await open(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    return formatOfHead(head.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

export function formatOfHead(head: Buffer): ImageFormat | undefined {
  const text = (start: number, end: number) => head.toString("latin1", start, end);
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (text(0, 6) === "GIF87a" || text(0, 6) === "GIF89a") return "gif";
  if (text(0, 3) === "\xff\xd8\xff") return "jpeg";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "webp";
  if (text(4, 12) === "ftypavif") return "avif";
  return undefined;
}
