/** What is used of the package, which has no types of its own. */
declare module "@20minutes/s3rver" {
  import type { RequestListener } from "node:http";

  /** A request in the package's own framework. */
  export interface S3Context {
    path: string;
    mountPath: string;
    state: { vhost: boolean };
  }

  export default class S3rver {
    constructor(options: { silent: boolean; directory: string; configureBuckets: { name: string }[] });
    logger: { close(): void; exceptions: { unhandle(): void } };
    /** The last one is the package's router. */
    middleware: ((context: S3Context, next: () => Promise<void>) => Promise<void>)[];
    configureBuckets(): Promise<unknown>;
    callback(): RequestListener;
  }
}
