import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { eventNames, followAll } from "../../../test/harness/follow.ts";
import { type CastName, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import { listen } from "../../../test/harness/listener.ts";
import { MULTIPART, multipartBody, type Part } from "../../../test/harness/multipart.ts";
import { picture } from "../../../test/harness/pictures.ts";

const UPLOADED = /^\/user_avatars\/\d+\/realm\/[0-9a-f]{32}\.png$/;
const pictures = [
  { path: "/realm/icon", night: false, name: "icon", width: 100, height: 100, unset: "G" },
  { path: "/realm/logo", night: false, name: "logo", width: 200, height: 100, unset: "D" },
  { path: "/realm/logo", night: true, name: "night_logo", width: 200, height: 100, unset: "D" },
] as const;

let harness: Harness;
let png: Buffer;
beforeAll(async () => {
  harness = await createHarness();
  png = await picture("png", 400, 200);
});
afterAll(() => harness.close());

function upload(by: CastName, path: string, night: boolean, content: Buffer | string = png) {
  const { email, apiKey } = harness.user(by);
  const file: Part = { name: "file", fileName: "x.png", contentType: "image/png", content };
  const fields: Part[] = path.endsWith("logo") ? [{ name: "night", content: JSON.stringify(night) }] : [];
  return harness.app.inject({
    method: "POST",
    url: `/api/v1${path}`,
    headers: {
      host: HOST,
      authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`,
      "content-type": MULTIPART,
      "user-agent": "ParleyTest/1.0",
    },
    payload: multipartBody([...fields, file]),
  });
}

const remove = (by: CastName, path: string, night: boolean) =>
  harness.as(by).delete(path, path.endsWith("logo") ? { night } : {});
const load = (url: string) => harness.app.inject({ method: "GET", url, headers: { host: HOST } });
const snapshot = (by: CastName) =>
  expectSuccess(harness.as(by).post("/register", { fetch_event_types: ["realm"] }));

describe.each(pictures)("the organization's $name", ({ path, night, name, width, height, unset }) => {
  const urlOf = async () => (await snapshot("gus"))[`realm_${name}_url`] as string;

  test("is what administrators upload, and everyone gets it", async () => {
    const stranger = await listen(harness.as("zed"));
    const heard = await followAll(harness, ["ben", "gus"], async () => {
      expect((await upload("ben", path, night)).json()).toMatchObject({ result: "success" });
    });
    const url = await urlOf();
    expect(url).toMatch(UPLOADED);
    expect(heard.gus).toMatchObject([
      {
        type: "realm",
        op: "update_dict",
        property: name,
        data: { [`${name}_url`]: url, [`${name}_source`]: "U" },
      },
    ]);
    expect(await stranger.heard()).toEqual([]);
    const { rawPayload, headers } = await load(url);
    expect(headers["cache-control"]).toContain("immutable");
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: "png", width, height });
  });

  test("has an address that does not change", async () => {
    const { statusCode, headers } = await load(`/api/v1${path}${night ? "?night=true" : ""}`);
    expect([statusCode, headers.location]).toEqual([302, await urlOf()]);
  });

  test.each(["cleo", "dev", "gus", "echo"] as const)("is not for %s to change", async (by) => {
    const before = await snapshot("ada");
    for (const answer of [(await upload(by, path, night)).json(), (await remove(by, path, night)).body]) {
      expect(answer.msg).toBe("Must be an organization administrator");
    }
    expect(await snapshot("ada")).toMatchObject({ [`realm_${name}_url`]: before[`realm_${name}_url`] });
  });

  test("is not changed by a file that is no picture, or too large", async () => {
    const before = await urlOf();
    expect((await upload("ada", path, night, "<svg/>")).json().msg).toBe("Invalid image format");
    expect((await upload("ada", path, night, Buffer.alloc(5 * 2 ** 20 + 1))).statusCode).toBe(413);
    expect(await urlOf()).toBe(before);
  });

  test("is deleted with its file, and the one of every organization takes its place", async () => {
    const url = await urlOf();
    const heard = await followAll(harness, ["gus"], async () => {
      expect((await remove("ada", path, night)).body.result).toBe("success");
    });
    expect(heard.gus?.[0]).toMatchObject({ property: name, data: { [`${name}_source`]: unset } });
    expect(await snapshot("gus")).toMatchObject({
      [`realm_${name}_url`]: "/logo.svg",
      [`realm_${name}_source`]: unset,
    });
    await runJobs(harness.services);
    expect((await load(url)).statusCode).toBe(404);
    const again = await followAll(harness, ["gus"], () => remove("ada", path, night));
    expect(eventNames(again.gus)).toEqual([]);
  });
});

test("the icon is shown before anybody signs in", async () => {
  await upload("ada", "/realm/icon", false);
  const { realm_icon, realm_url } = await expectSuccess(harness.nobody().get("/server_settings"));
  const { realm_icon_url } = await snapshot("ada");
  expect(realm_icon).toBe(realm_url + realm_icon_url);
  await remove("ada", "/realm/icon", false);
});

test("changes of the pictures are in the audit log", async () => {
  await upload("ben", "/realm/logo", true);
  const { entries } = await expectSuccess(harness.as("ada").get("/realm/audit_log"));
  expect(entries[0]).toMatchObject({
    action: "organization_picture_changed",
    actor_id: harness.user("ben").id,
    changes: { night_logo_source: { old: "D", new: "U" } },
  });
  await remove("ada", "/realm/logo", true);
});
