/** What is used of the package, which has no types of its own. */
declare module "@20minutes/s3rver" {
  import type { RequestListener } from "node:http";

  export default class S3rver {
    constructor(options: { silent: boolean; directory: string; configureBuckets: { name: string }[] });
    logger: { close(): void; exceptions: { unhandle(): void } };
    configureBuckets(): Promise<unknown>;
    callback(): RequestListener;
  }
}
