/** Pictures of people: uploading them, and loading them as a browser does. */
import { afterAll, beforeAll, expect } from "vitest";
import { type CastName, createHarness, type Harness, HOST } from "./harness.ts";
import { MULTIPART, multipartBody, type Part } from "./multipart.ts";
import { picture } from "./pictures.ts";

export const file = (content: Buffer | string): Part => ({
  name: "file",
  fileName: "me.png",
  contentType: "image/png",
  content,
});

export const medium = (url: string) => url.replace(".png", "-medium.png");

/** Starts the server before the tests of a file, and ends it after. */
export function useAvatars() {
  let harness: Harness;
  let png: Buffer;
  beforeAll(async () => {
    harness = await createHarness();
    await harness.channel("general", ["ada", "ben", "dev", "elin", "gus"]);
    png = await picture("png", 300, 200);
  });
  afterAll(() => harness.close());

  function send(by: CastName, method: "POST" | "PATCH", path: string, parts: readonly Part[]) {
    const { email, apiKey } = harness.user(by);
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
    return harness.app.inject({
      method,
      url: `/api/v1${path}`,
      headers: { host: HOST, authorization, "content-type": MULTIPART, "user-agent": "ParleyTest/1.0" },
      payload: multipartBody(parts),
    });
  }

  async function upload(by: CastName, content: Buffer | string = png): Promise<string> {
    const response = await send(by, "POST", "/users/me/avatar", [file(content)]);
    expect(response.json()).toMatchObject({ result: "success" });
    return response.json().avatar_url;
  }

  const load = (url: string, headers: Record<string, string> = {}) =>
    harness.app.inject({ method: "GET", url, headers: { host: HOST, ...headers } });

  return {
    ...{ send, upload, load },
    get harness() {
      return harness;
    },
    /** A picture of 300 by 200 pixels, which `upload` sends by default. */
    get png() {
      return png;
    },
  };
}
