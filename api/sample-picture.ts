import type { SampleFile } from "./endpoint.ts";

/** A picture of one pixel, for the sample calls that send one. */
export const samplePicture: SampleFile = {
  name: "picture.png",
  contentType: "image/png",
  base64: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
};
