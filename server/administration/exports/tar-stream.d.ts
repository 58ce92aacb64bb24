/** What is used of the package, which has no types of its own. */
declare module "tar-stream" {
  import type { Readable, Writable } from "node:stream";

  export interface Header {
    name: string;
    size: number;
    mode?: number;
    mtime?: Date;
    /** In what is read: `file`, `directory`, `symlink` and others. */
    type?: string;
  }

  export interface Pack extends Readable {
    /** The callback is called when the bytes have been passed on. */
    entry(header: Header, callback: (error?: Error | null) => void): Writable;
    finalize(): void;
  }

  export interface Extract extends Writable, AsyncIterable<Readable & { header: Header }> {}

  export function pack(): Pack;
  export function extract(): Extract;
}
