import { beforeAll, describe, expect, test } from "vitest";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type ReadArchive, readArchive } from "../../../test/harness/archive.ts";
import { PUBLIC, useExports, WITH_CONSENT } from "../../../test/harness/exports.ts";
import { type CastName, type Harness, HOST } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { type CustomEmoji, customEmoji } from "../../content/emoji/custom-emoji.ts";
import { listCustomEmoji } from "../../content/emoji/store.ts";
import { sql } from "../../platform/db/sql.ts";

const exporting = useExports();
const { begin, find, download, runJobs } = exporting;
let harness: Harness;
beforeAll(() => {
  harness = exporting.harness;
});

/** Makes an export and reads its file. */
async function make(export_type = PUBLIC, name: CastName = "ada"): Promise<ReadArchive> {
  const id = await begin(export_type, name);
  await runJobs();
  const { export_url } = await find(id, name);
  return readArchive((await download(export_url)).rawPayload);
}

async function say(name: CastName, to: number | number[], content: string, topic = "lunch"): Promise<number> {
  const place = Array.isArray(to) ? { type: "direct", to } : { type: "channel", to, topic };
  return (await expectSuccess(harness.as(name).post("/messages", { ...place, content }))).id;
}

const consent = (name: CastName, allow_private_data_export: boolean) =>
  expectSuccess(harness.as(name).patch("/settings", { allow_private_data_export }));

const contents = ({ records }: ReadArchive) => (records.messages ?? []).map(({ content }) => content);

describe("an export", () => {
  test("is begun by an administrator, made in the background, and can then be downloaded", async () => {
    const id = await begin(PUBLIC, "ben");
    expect(await find(id)).toMatchObject({
      acting_user_id: harness.user("ben").id,
      pending: true,
      progress: 0,
      export_type: 1,
      export_url: null,
      failed_timestamp: null,
      deleted_timestamp: null,
      failure_reason: null,
    });
    await runJobs();
    const made = await find(id);
    expect(made).toMatchObject({ pending: false, progress: 100, failed_timestamp: null });
    expect(made.export_url).toMatch(/^http:\/\/[^/]+\/exports\/[\w-]+$/);
    const { statusCode, headers } = await download(made.export_url);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "application/gzip",
      "content-disposition": expect.stringMatching(
        /^attachment; filename="parley-export-[a-z0-9.-]+\.tar\.gz"$/,
      ),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "private, no-store",
    });
    expect(Number(headers["content-length"])).toBeGreaterThan(500);
  });

  test.each(["cleo", "dev", "gus"] as const)("is not for %s, whose role is too low", async (name) => {
    for (const attempt of [
      () => harness.as(name).post("/export/realm"),
      () => harness.as(name).get("/export/realm"),
      () => harness.as(name).get("/export/realm/consents"),
      () => harness.as(name).delete("/export/realm/1"),
    ]) {
      expect(await refusal(attempt())).toBe("Must be an organization administrator");
    }
  });

  test("is the only one that is pending", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => harness.as("ada").post("/export/realm")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await refusal(harness.as("ben").post("/export/realm"))).toBe("An export is already being made.");
    await runJobs();
    await begin();
    await runJobs();
  });

  test("is one of five in a week", async () => {
    for (let count = 0; count < 5; count++) {
      await begin();
      await runJobs();
    }
    expect(await refusal(harness.as("ada").post("/export/realm"))).toBe("Exceeded rate limit.");
  });

  test("has one of the two types", async () => {
    for (const export_type of [0, 3, "public"]) {
      expect((await harness.as("ada").post("/export/realm", { export_type })).status).toBe(400);
    }
  });

  test("is announced to administrators when it begins and ends, with links of their own", async () => {
    const heard = { event_types: ["realm_export"] };
    const [ada, ben, cleo] = [
      await listen(harness.as("ada"), heard),
      await listen(harness.as("ben"), heard),
      await listen(harness.as("cleo"), heard),
    ];
    const id = await begin();
    await runJobs();
    const [forAda, forBen] = [await ada.heard(), await ben.heard()];
    expect(forAda.map(({ exports }) => exports.at(-1))).toMatchObject([
      { id, pending: true, export_url: null },
      { id, pending: false, progress: 100 },
    ]);
    expect(await cleo.heard()).toEqual([]);
    const [one, other] = [forAda, forBen].map((events) => events.at(-1)?.exports.at(-1).export_url);
    expect(one).not.toBe(other);
    for (const link of [one, other]) expect((await download(link)).statusCode).toBe(200);
    const stored = await harness.services.database.query<{ text: string }>(
      sql`select payload::text as text from events where type = 'realm_export'`,
    );
    expect(stored.length).toBeGreaterThan(1);
    expect(stored.map(({ text }) => text).join()).not.toContain("/exports/");
  });
});

describe("a public export", () => {
  test("has the messages of public channels, and nothing private", async () => {
    await consent("dev", true);
    const [open, closed] = [
      await harness.channel("open kitchen", ["ada", "dev"]),
      await harness.channel("closed kitchen", ["ada", "dev"], { isPrivate: true }),
    ];
    const id = await say("dev", open.id, "Soup for **all**.", "menu");
    await say("dev", closed.id, "Secret soup.");
    await say("dev", [harness.user("ada").id], "Whispered soup.");
    await expectSuccess(harness.as("ada").post(`/messages/${id}/reactions`, { emoji_name: "heart" }));
    await expectSuccess(
      harness.as("dev").post("/messages/flags", { messages: [id], op: "add", flag: "starred" }),
    );
    await expectSuccess(
      harness.as("dev").post("/saved_snippets", { title: "Kept", content: "Snippet soup." }),
    );
    const draft = { type: "", to: [], topic: "", content: "Draft soup." };
    await expectSuccess(harness.as("dev").post("/drafts", { drafts: [draft] }));

    const { records, names, text } = await make(PUBLIC);
    expect(records.format).toMatchObject([{ format: "parley-export", version: 1, export_type: "public" }]);
    expect(names.at(0)).toBe("parley-export/format.json");
    expect(names.at(-1)).toBe("parley-export/complete.json");
    expect(records.messages?.find((message) => message.id === id)).toEqual({
      id,
      sender_id: harness.user("dev").id,
      channel_id: open.id,
      topic: "menu",
      sent_at: expect.any(Number),
      client: "parleytest",
      content: "Soup for **all**.",
      edited_at: null,
      moved_at: null,
      reactions: [
        {
          user_id: harness.user("ada").id,
          emoji_name: "heart",
          emoji_code: "2764",
          reaction_type: "unicode_emoji",
        },
      ],
      submessages: [],
      flags: [],
    });
    for (const secret of ["Secret", "Whispered", "Snippet", "Draft", "closed kitchen"]) {
      expect(text).not.toContain(secret);
    }
    expect(records.complete?.[0].counts.messages).toBe(records.messages?.length);
    await consent("dev", false);
  });

  test("has everybody without passwords and keys, and the addresses that its reader may see", async () => {
    await expectSuccess(harness.as("elin").patch("/settings", { email_address_visibility: 4 }));
    const { records, text } = await make();
    const of = (name: CastName) => records.users?.find(({ id }) => id === harness.user(name).id);
    expect(of("dev")).toMatchObject({ email: "dev@demo.test", full_name: "Dev Rao", is_active: true });
    expect(of("elin")).toMatchObject({ email: null, full_name: "Elin Berg" });
    for (const name of ["ada", "dev", "echo"] as const) expect(text).not.toContain(harness.user(name).apiKey);
    expect(text).not.toMatch(/argon2|password|api_key/);
    expect(text).not.toContain("zed@");
    await expectSuccess(harness.as("elin").patch("/settings", { email_address_visibility: 1 }));
  });

  test("has groups, folders and subscriptions", async () => {
    const channel = await harness.channel("garden", ["ada", "gus"]);
    await expectSuccess(harness.as("ada").post("/channel_folders/create", { name: "Outdoors" }));
    const gardeners = { name: "gardeners", description: "Green", members: [harness.user("gus").id] };
    await expectSuccess(harness.as("ada").post("/user_groups/create", gardeners));
    const { records } = await make();
    expect(records.organization).toMatchObject([{ host: HOST }]);
    expect(records.channels).toContainEqual(expect.objectContaining({ id: channel.id, name: "garden" }));
    expect(records.channel_folders).toContainEqual(expect.objectContaining({ name: "Outdoors" }));
    expect(records.groups).toContainEqual(
      expect.objectContaining({ name: "gardeners", member_ids: [harness.user("gus").id] }),
    );
    expect(records.subscriptions).toContainEqual({
      channel_id: channel.id,
      user_id: harness.user("gus").id,
      since: expect.any(Number),
    });
  });
});

describe("what an organization brought", () => {
  test("is in an export: domains, linkifiers, playgrounds, and emoji with their pictures", async () => {
    const ada = harness.as("ada");
    await expectSuccess(ada.post("/realm/domains", { domain: "kitchen.example", allow_subdomains: true }));
    const pattern = { pattern: "#(?P<id>[0-9]+)", url_template: "https://issues.example.com/{id}" };
    await expectSuccess(ada.post("/realm/filters", pattern));
    const playground = {
      name: "Play",
      pygments_language: "rust",
      url_template: "https://play.example/{code}",
    };
    await expectSuccess(ada.post("/realm/playgrounds", playground));
    const moving = await storePicture("moving", true);
    const still = await storePicture("still", false);
    const { records, files } = await make();
    expect(records.domains).toEqual([{ domain: "kitchen.example", allow_subdomains: true }]);
    expect(records.linkifiers).toEqual([{ id: expect.any(Number), ...pattern }]);
    expect(records.playgrounds).toEqual([{ id: expect.any(Number), ...playground }]);
    expect(records.emoji).toEqual([
      expect.objectContaining({ name: "moving", picture: moving.picture, still: moving.still }),
      expect.objectContaining({ name: "still", picture: still.picture, still: null }),
    ]);
    expect([...files].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
      [moving.picture, "picture of moving"],
      [moving.still, "still picture of moving"],
      [still.picture, "picture of still"],
    ]);
    expect(records.complete?.[0].counts).toMatchObject({ domains: 1, linkifiers: 1, emoji: 2, files: 3 });
  });

  test("is left out where the storage has lost the file", async () => {
    const { key } = await storePicture("lost", false);
    await harness.services.files.delete(key);
    const { records, files } = await make();
    expect(records.emoji).toContainEqual(expect.objectContaining({ name: "lost" }));
    expect([...files.keys()].join()).not.toContain("lost");
    expect(records.complete?.[0].counts.files).toBe(files.size);
  });

  /** An emoji whose pictures are texts. */
  async function storePicture(name: string, isAnimated: boolean) {
    const { organizationId, database } = harness.state;
    const fileName = `${name}.webp`;
    await database.query(sql`
      insert into custom_emoji (organization_id, name, file_name, is_animated)
      values (${organizationId}, ${name}, ${fileName}, ${isAnimated})`);
    const [row] = (await listCustomEmoji(database, organizationId)).filter((each) => each.name === name);
    harness.state.get(customEmoji).put(row as CustomEmoji);
    const key = `${organizationId}/emoji/${fileName}`;
    const put = (place: string, text: string) =>
      harness.services.files.put(place, { bytes: Buffer.from(text), contentType: "image/webp" });
    await put(key, `picture of ${name}`);
    if (isAnimated) await put(`${organizationId}/emoji/still/${name}.png`, `still picture of ${name}`);
    return { key, picture: `files/emoji/${fileName}`, still: `files/emoji/still/${name}.png` };
  }
});

test("subscriptions that ended are in an export, of the channels that it has", async () => {
  const channel = await harness.channel("pond", ["ada", "gus"]);
  await harness.channel("closed pond", ["ada", "gus"], { isPrivate: true });
  for (const name of ["pond", "closed pond"]) {
    await expectSuccess(harness.as("gus").delete("/users/me/subscriptions", { subscriptions: [name] }));
  }
  const { records } = await make();
  const ofGus = records.ended_subscriptions?.filter(({ user_id }) => user_id === harness.user("gus").id);
  expect(ofGus).toEqual([
    expect.objectContaining({ channel_id: channel.id, since: expect.any(Number), until: expect.any(Number) }),
  ]);
  expect(ofGus?.[0].until).toBeGreaterThan(ofGus?.[0].since);
  const now = records.subscriptions?.filter(({ channel_id }) => channel_id === channel.id);
  expect(now?.map(({ user_id }) => user_id)).toEqual([harness.user("ada").id]);
});

describe("an export with consent", () => {
  const directs: Record<string, number> = {};
  beforeAll(async () => {
    const [ada, dev, elin, gus] = (["ada", "dev", "elin", "gus"] as const).map(
      (name) => harness.user(name).id,
    );
    directs.ofDev = await say("elin", [dev as number], "From elin to dev.");
    directs.group = await say("ada", [dev as number, gus as number], "From ada to dev and gus.");
    directs.ofOthers = await say("elin", [gus as number], "From elin to gus.");
    expect([ada, elin]).not.toContain(undefined);
  });

  test("has direct messages in which somebody who consents takes part, and no others", async () => {
    expect(contents(await make(WITH_CONSENT))).not.toContain("From elin to dev.");
    await consent("dev", true);
    const made = await make(WITH_CONSENT);
    expect(made.records.format).toMatchObject([{ export_type: "full_with_consent" }]);
    expect(contents(made)).toEqual(expect.arrayContaining(["From elin to dev.", "From ada to dev and gus."]));
    expect(contents(made)).not.toContain("From elin to gus.");
    const group = made.records.messages?.find(({ id }) => id === directs.group);
    expect(group).not.toHaveProperty("channel_id");
    expect(group.user_ids).toEqual(
      (["ada", "dev", "gus"] as const).map((name) => harness.user(name).id).sort((a, b) => a - b),
    );
    expect(contents(await make(PUBLIC))).not.toContain("From elin to dev.");
    await consent("dev", false);
    expect(contents(await make(WITH_CONSENT))).not.toContain("From elin to dev.");
  });

  test("has private channels to which somebody who consents is subscribed now", async () => {
    const channel = await harness.channel("attic", ["ada", "elin"], { isPrivate: true });
    await say("ada", channel.id, "Found in the attic.");
    await consent("elin", true);
    const made = await make(WITH_CONSENT);
    expect(contents(made)).toContain("Found in the attic.");
    expect(made.records.channels).toContainEqual(
      expect.objectContaining({ name: "attic", is_private: true }),
    );
    await expectSuccess(harness.as("elin").delete("/users/me/subscriptions", { subscriptions: ["attic"] }));
    const left = await make(WITH_CONSENT);
    expect(left.text).not.toContain("attic");
    await consent("elin", false);
  });

  test("has of a channel without shared history what somebody who consents received", async () => {
    const channel = await harness.channel("cellar", ["ada"], { isPrivate: true, isHistoryShared: false });
    await say("ada", channel.id, "Before dev.");
    const subscriptions = [{ name: "cellar" }];
    const principals = [harness.user("dev").id];
    await expectSuccess(harness.as("ada").post("/users/me/subscriptions", { subscriptions, principals }));
    await say("ada", channel.id, "With dev.");
    await consent("dev", true);
    const made = await make(WITH_CONSENT);
    expect(contents(made)).toContain("With dev.");
    expect(contents(made)).not.toContain("Before dev.");
    await consent("dev", false);
  });

  test("has the flags of people who consent, and no others", async () => {
    const channel = await harness.channel("starry", ["ada", "dev", "elin"]);
    const id = await say("ada", channel.id, "A star.");
    for (const name of ["dev", "elin"] as const) {
      const flag = { messages: [id], op: "add", flag: "starred" };
      await expectSuccess(harness.as(name).post("/messages/flags", flag));
    }
    await consent("dev", true);
    const { records } = await make(WITH_CONSENT);
    const flags = records.messages?.find((message) => message.id === id).flags;
    expect(flags).toEqual([{ user_id: harness.user("dev").id, flags: ["starred"] }]);
    await consent("dev", false);
  });
});

describe("consents", () => {
  test("are listed for active people, without bots", async () => {
    await consent("gus", true);
    const { export_consents } = await expectSuccess(harness.as("ben").get("/export/realm/consents"));
    expect(export_consents).toContainEqual({ user_id: harness.user("gus").id, consented: true });
    expect(export_consents).toContainEqual({ user_id: harness.user("ada").id, consented: false });
    const ids = export_consents.map(({ user_id }: { user_id: number }) => user_id);
    expect(ids).not.toContain(harness.user("echo").id);
    await consent("gus", false);
  });

  test("are announced to administrators when they change", async () => {
    const heard = { event_types: ["realm_export_consent"] };
    const [ben, cleo] = [await listen(harness.as("ben"), heard), await listen(harness.as("cleo"), heard)];
    await consent("gus", true);
    await consent("gus", true);
    await expectSuccess(harness.as("gus").patch("/settings", { enter_sends: true }));
    await consent("gus", false);
    const user_id = harness.user("gus").id;
    expect(await ben.heard()).toEqual([
      { type: "realm_export_consent", user_id, consented: true },
      { type: "realm_export_consent", user_id, consented: false },
    ]);
    expect(await cleo.heard()).toEqual([]);
  });
});
