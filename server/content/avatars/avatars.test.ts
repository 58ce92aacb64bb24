import { readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { file, medium, useAvatars } from "../../../test/harness/avatars.ts";
import { eventNames, followAll } from "../../../test/harness/follow.ts";
import { type CastName, createHarness } from "../../../test/harness/harness.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import { listen } from "../../../test/harness/listener.ts";
import { animation, picture } from "../../../test/harness/pictures.ts";
import { changeAvatar } from "../../people/pictures/picture-changes.ts";
import { users } from "../../people/user.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { deleteUnusedPicture } from "./pictures.ts";

const avatars = useAvatars();
const { send, upload, load } = avatars;

const UPLOADED = /^\/user_avatars\/\d+\/[0-9a-f]{32}\.png$/;

const EVERYBODY = ["ada", "dev", "gus"] as const;

const remove = (by: CastName) => avatars.harness.as(by).delete("/users/me/avatar");

async function stored(): Promise<string[]> {
  const root = avatars.harness.services.config.files as string;
  const all = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return all
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(".temporary"))
    .map((entry) => join(entry.parentPath, entry.name));
}

async function record(reader: CastName, name: CastName, params = {}) {
  const { user } = await expectSuccess(
    avatars.harness.as(reader).get(`/users/${avatars.harness.user(name).id}`, params),
  );
  return user;
}

describe("uploading a picture", () => {
  test.each(["png", "jpeg", "webp", "gif", "avif"] as const)(
    "from a %s makes a square PNG in two sizes",
    async (format) => {
      const url = await upload("dev", await picture(format, 300, 200));
      expect(url).toMatch(UPLOADED);
      for (const [address, side] of [
        [url, 100],
        [medium(url), 500],
      ] as const) {
        const { rawPayload, headers } = await load(address);
        expect(headers["content-type"]).toBe("image/png");
        expect(await sharp(rawPayload).metadata()).toMatchObject({
          format: "png",
          width: side,
          height: side,
        });
      }
    },
  );

  test("takes the first frame of a moving one", async () => {
    const { rawPayload } = await load(await upload("dev", await animation("webp", 50, 50, 4)));
    expect((await sharp(rawPayload).metadata()).pages ?? 1).toBe(1);
  });

  test("keeps nothing of the file but its pixels", async () => {
    const secret = "taken at home";
    const content = await sharp(avatars.png)
      .withExif({ IFD0: { ImageDescription: secret } })
      .jpeg()
      .toBuffer();
    expect(content.includes(secret)).toBe(true);
    const { rawPayload } = await load(await upload("dev", content));
    expect(rawPayload.includes(secret)).toBe(false);
    expect((await sharp(rawPayload).metadata()).exif).toBeUndefined();
  });

  test("reaches everyone, and nobody of another organization", async () => {
    const stranger = await listen(avatars.harness.as("zed"));
    const heard = await followAll(avatars.harness, EVERYBODY, () => upload("dev"));
    for (const name of EVERYBODY) expect(eventNames(heard[name])).toEqual(["realm_user/update"]);
    expect(await stranger.heard()).toEqual([]);
    const { avatar_url, avatar_version } = await record("gus", "dev");
    expect(heard.gus?.[0]).toMatchObject({
      person: {
        user_id: avatars.harness.user("dev").id,
        avatar_source: "U",
        avatar_url,
        avatar_url_medium: medium(avatar_url),
        avatar_version,
      },
    });
  });

  test("shows in messages, also to clients that compute pictures, and in the own record", async () => {
    const url = await upload("elin");
    const { id } = await expectSuccess(
      avatars.harness
        .as("elin")
        .post("/messages", { type: "channel", to: "general", topic: "x", content: "y" }),
    );
    const { message } = await expectSuccess(avatars.harness.as("ada").get(`/messages/${id}`));
    expect(message.avatar_url).toBe(url);
    expect((await expectSuccess(avatars.harness.as("elin").get("/users/me"))).avatar_url).toBe(url);
    const snapshot = await expectSuccess(
      avatars.harness.as("elin").post("/register", { fetch_event_types: ["realm_user"] }),
    );
    expect(snapshot).toMatchObject({
      avatar_source: "U",
      avatar_url: url,
      avatar_url_medium: medium(url),
    });
  });

  test.each([
    ["text", "no picture", "Invalid image format"],
    ["a script in a vector picture", "<svg xmlns='http://www.w3.org/2000/svg'/>", "Invalid image format"],
    ["a torn picture", "torn", "The picture can't be read; the file may be damaged."],
  ])("is refused for %s, and leaves no files", async (_, content, msg) => {
    const before = await stored();
    const bytes = content === "torn" ? avatars.png.subarray(0, avatars.png.length / 2) : content;
    const response = await send("dev", "POST", "/users/me/avatar", [file(bytes)]);
    expect([response.statusCode, response.json().msg]).toEqual([400, msg]);
    expect(await stored()).toEqual(before);
  });

  test("is refused for a picture with too many pixels", async () => {
    const content = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: "#123456" } })
      .png()
      .toBuffer();
    const response = await send("dev", "POST", "/users/me/avatar", [file(content)]);
    expect(response.json().msg).toBe("The picture has too many pixels or frames.");
  });

  test("is refused without a file, with two, and for one that is too large", async () => {
    for (const parts of [[], [file(avatars.png), file(avatars.png)]]) {
      expect((await send("dev", "POST", "/users/me/avatar", parts)).json().result).toBe("error");
    }
    const large = await send("dev", "POST", "/users/me/avatar", [file(Buffer.alloc(5 * 2 ** 20 + 1))]);
    expect(large.statusCode).toBe(413);
  });

  test("is for administrators alone where changes of pictures are off", async () => {
    await expectSuccess(avatars.harness.as("ada").patch("/realm", { avatar_changes_disabled: true }));
    const before = await stored();
    for (const answer of [
      (await send("dev", "POST", "/users/me/avatar", [file(avatars.png)])).json(),
      (await remove("dev")).body,
    ]) {
      expect(answer.msg).toBe("Avatar changes are disabled in this organization.");
    }
    expect(await stored()).toEqual(before);
    expect(await upload("ben")).toMatch(UPLOADED);
    await expectSuccess(avatars.harness.as("ada").patch("/realm", { avatar_changes_disabled: false }));
  });
});

describe("the files of a picture", () => {
  test("are deleted when another takes its place, and when it is removed", async () => {
    await runJobs(avatars.harness.services);
    const first = await upload("ada");
    const others = (await stored()).filter((path) => !path.includes(nameIn(first)));
    await upload("ada");
    await runJobs(avatars.harness.services);
    expect((await load(first)).statusCode).toBe(404);
    await expectSuccess(remove("ada"));
    await runJobs(avatars.harness.services);
    expect(await stored()).toEqual(others);
  });

  test("are deleted later if the change that they were for failed, and never while they are in use", async () => {
    const url = await upload("ada");
    const { organizationId } = avatars.harness.state;
    const run = (fileName: string) =>
      deleteUnusedPicture.run(
        avatars.harness.services,
        { organizationId, form: "avatar", fileName },
        { signal: new AbortController().signal, dueAt: new Date() },
      );
    await run(nameIn(url));
    expect((await load(url)).statusCode).toBe(200);
    await runStateChange(avatars.harness.state, async (tx) => {
      await changeAvatar(tx, avatars.harness.user("ada").user, null);
    });
    await run(nameIn(url));
    await run(nameIn(url));
    expect((await load(url)).statusCode).toBe(404);
    expect((await load(medium(url))).statusCode).toBe(404);
  });

  test("are sent to everyone, for caches to keep, and can do nothing in a browser", async () => {
    const url = await upload("ada");
    const { headers } = await load(url);
    expect(headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
    const again = await load(url, { "if-none-match": headers.etag as string });
    expect(again.statusCode).toBe(304);
  });

  test.each([
    "/user_avatars/1/x.png",
    "/user_avatars/1/00000000000000000000000000000000.png",
    "/user_avatars/0/00000000000000000000000000000000.png",
    "/user_avatars/1/00000000000000000000000000000000-large.png",
    "/user_avatars/1/..%2f..%2fsecret.png",
    "/user_avatars/1/realm/..%2f1.png",
  ])("are not found at %s", async (url) => {
    expect((await load(url)).statusCode).toBe(404);
  });
});

const nameIn = (url: string) => /[0-9a-f]{32}/.exec(url)?.[0] as string;

describe("removing a picture", () => {
  test("brings back the drawn one, for everyone", async () => {
    await upload("dev");
    const heard = await followAll(avatars.harness, EVERYBODY, () => expectSuccess(remove("dev")));
    expect(heard.gus?.[0]).toMatchObject({ person: { avatar_source: "J" } });
    expect((await record("gus", "dev")).avatar_url).toMatch(/^\/user_avatars\/drawn\//);
  });

  test("that is not there changes nothing", async () => {
    const guest = await listen(avatars.harness.as("gus"));
    await expectSuccess(remove("dev"));
    expect(await guest.heard()).toEqual([]);
  });
});

describe("people without a picture of their own", () => {
  beforeEach(async () => {
    await expectSuccess(remove("dev"));
  });

  test("have a drawn one, also for clients that compute pictures", async () => {
    for (const client_gravatar of [true, false]) {
      const { avatar_url } = await record("ada", "dev", { client_gravatar });
      expect(avatar_url).toMatch(/^\/user_avatars\/drawn\/44-[0-9a-f]{2}-c\d+\.png$/);
      for (const address of [avatar_url, medium(avatar_url)]) {
        const { rawPayload, headers } = await load(address);
        expect(headers["content-type"]).toBe("image/png");
        expect(await sharp(rawPayload).metadata()).toMatchObject({ format: "png" });
      }
    }
  });

  test("get another drawn one with another name, and everyone learns of it", async () => {
    const heard = await followAll(avatars.harness, EVERYBODY, () =>
      expectSuccess(avatars.harness.as("dev").patch("/settings", { full_name: "Zoe Quist" })),
    );
    expect(eventNames(heard.gus)).toEqual(["realm_user/update", "realm_user/update"]);
    expect((await record("gus", "dev")).avatar_url).toContain("/5a-51-");
    await expectSuccess(avatars.harness.as("dev").patch("/settings", { full_name: "Dev Ito" }));
  });

  test("have one of Gravatar where the organization wants that, and everyone learns of the change", async () => {
    const choose = (default_avatar_source: string) =>
      expectSuccess(avatars.harness.as("ada").patch("/realm", { default_avatar_source }));
    await upload("elin");
    await followAll(avatars.harness, EVERYBODY, () => choose("G"));
    expect((await record("ada", "dev")).avatar_url).toBe(null);
    expect((await record("ada", "dev", { client_gravatar: false })).avatar_url).toMatch(
      /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=\d+$/,
    );
    expect((await record("ada", "elin")).avatar_url).toMatch(UPLOADED);
    await followAll(avatars.harness, EVERYBODY, () => choose("J"));
    expect((await record("ada", "dev")).avatar_url).toMatch(/^\/user_avatars\/drawn\//);
  });
});

describe("a bot", () => {
  test("can be made with a picture, which everyone gets with it", async () => {
    const fields = { full_name: "Soup Bot", short_name: "soup" };
    const parts = Object.entries(fields).map(([name, content]) => ({ name, content }));
    const heard = await followAll(avatars.harness, EVERYBODY, async () => {
      const { avatar_url } = (await send("dev", "POST", "/bots", [...parts, file(avatars.png)])).json();
      expect(avatar_url).toMatch(UPLOADED);
    });
    expect(heard.gus?.[0]).toMatchObject({
      op: "add",
      person: { avatar_url: expect.stringMatching(UPLOADED) },
    });
  });

  test("gets another picture from its owner, and its files go with the old one", async () => {
    const { id } = avatars.harness.user("echo");
    const change = async () => {
      const response = await send("ben", "PATCH", `/bots/${id}`, [file(avatars.png)]);
      return response.json().avatar_url as string;
    };
    const first = await change();
    const heard = await followAll(avatars.harness, ["ada", "ben", "gus"], async () => {
      expect(await change()).not.toBe(first);
    });
    expect(eventNames(heard.gus)).toEqual(["realm_user/update"]);
    expect(eventNames(heard.ben).sort()).toEqual(["realm_bot/update", "realm_user/update"]);
    await runJobs(avatars.harness.services);
    expect((await load(first)).statusCode).toBe(404);
    const refused = await send("dev", "PATCH", `/bots/${id}`, [file(avatars.png)]);
    expect(refused.json().msg).toBe("Insufficient permission");
  });

  test("removes its own picture, which its owner learns too", async () => {
    await send("ben", "PATCH", `/bots/${avatars.harness.user("echo").id}`, [file(avatars.png)]);
    const heard = await followAll(avatars.harness, ["ben", "gus"], () => expectSuccess(remove("echo")));
    expect(eventNames(heard.gus)).toEqual(["realm_user/update"]);
    expect(eventNames(heard.ben).sort()).toEqual(["realm_bot/update", "realm_user/update"]);
  });

  test("is not made with a file that is no picture", async () => {
    const parts = [
      { name: "full_name", content: "Bread Bot" },
      { name: "short_name", content: "bread" },
    ];
    const response = await send("dev", "POST", "/bots", [...parts, file("no picture")]);
    expect(response.json().msg).toBe("Invalid image format");
    expect(avatars.harness.state.get(users).findByName("Bread Bot")).toEqual([]);
  });
});

test("a server can leave the pictures of people to administrators", async () => {
  const strict = await createHarness({ PARLEY_AVATAR_CHANGES: "off" });
  try {
    const { body } = await strict.as("dev").post("/register", { fetch_event_types: ["realm"] });
    expect(body.server_avatar_changes_disabled).toBe(true);
    expect((await strict.as("dev").delete("/users/me/avatar")).body.msg).toContain("Avatar changes");
    expect((await strict.as("ben").delete("/users/me/avatar")).body.result).toBe("success");
  } finally {
    await strict.close();
  }
});
