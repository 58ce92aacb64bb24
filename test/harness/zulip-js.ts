/** The unmodified client zulip-js. It replaces the global `FormData`, which other files of a worker share. */
import { createRequire } from "node:module";
import { afterAll, beforeAll } from "vitest";

const ofNode = globalThis.FormData;
// biome-ignore lint/suspicious/noExplicitAny: The package has no types.
const zulip: any = createRequire(import.meta.url)("zulip-js");
const ofZulipJs = globalThis.FormData;
globalThis.FormData = ofNode;

/** Call it once in a file, outside its tests. */
export function useZulipJs(): typeof zulip {
  beforeAll(() => {
    globalThis.FormData = ofZulipJs;
  });
  afterAll(() => {
    globalThis.FormData = ofNode;
  });
  return zulip;
}
