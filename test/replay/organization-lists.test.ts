// Linkifiers, playgrounds, allowed domains and custom emoji: lists that an organization keeps for everyone.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addCustomEmoji } from "../../api/content/emoji.ts";
import type { Endpoint } from "../../api/endpoint.ts";
import type { QueuedEvent } from "../../client/contract.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll, forms } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness, HOST } from "../harness/harness.ts";
import { call } from "../permissions/sample-call.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const members = everybody.filter((name) => name !== "zed");
const ada = () => harness.as("ada");
const url_template = "https://tools.example.com/{code}";
const pattern = (name: string) => `${name}#(?P<code>[0-9]+)`;

/** Follows everyone in the organization while nothing reaches the other organization. */
async function everyone(verb: () => Promise<unknown>): Promise<Record<string, QueuedEvent[]>> {
  const heard = await followAll(harness, everybody, verb);
  expect(heard.zed).toEqual([]);
  return heard;
}

test("each change of linkifiers gives everyone the whole list, in its order", async () => {
  let id = 0;
  const added = await everyone(async () => {
    id = (await expectSuccess(ada().post("/realm/filters", { pattern: pattern("a"), url_template }))).id;
  });
  for (const name of members) {
    expect(added[name]).toMatchObject([
      { type: "realm_linkifiers", realm_linkifiers: [{ id, pattern: pattern("a"), url_template }] },
    ]);
  }
  const heard = await everyone(async () => {
    const { id: other } = await expectSuccess(
      ada().post("/realm/filters", { pattern: pattern("b"), url_template }),
    );
    await expectSuccess(ada().patch(`/realm/filters/${id}`, { pattern: pattern("c"), url_template }));
    await expectSuccess(ada().patch("/realm/linkifiers", { ordered_linkifier_ids: [other, id] }));
    await expectSuccess(ada().delete(`/realm/filters/${id}`));
  });
  const patterns = heard.gus?.map(({ realm_linkifiers }) =>
    (realm_linkifiers as { pattern: string }[]).map((each) => each.pattern),
  );
  const [a, b, c] = ["a", "b", "c"].map(pattern);
  expect(patterns).toEqual([[a, b], [c, b], [b, c], [b]]);
});

test("what changes no linkifier gives no event, and neither does what is refused", async () => {
  const { id } = await expectSuccess(ada().post("/realm/filters", { pattern: pattern("d"), url_template }));
  const { linkifiers } = await expectSuccess(ada().get("/realm/linkifiers"));
  const order = linkifiers.map((each: { id: number }) => each.id);
  const heard = await everyone(async () => {
    await expectSuccess(ada().patch(`/realm/filters/${id}`, { pattern: ` ${pattern("d")}`, url_template }));
    await expectSuccess(ada().patch("/realm/linkifiers", { ordered_linkifier_ids: order }));
    await ada().post("/realm/filters", { pattern: "(", url_template });
    await ada().patch("/realm/linkifiers", { ordered_linkifier_ids: [id, id] });
    await harness.as("dev").delete(`/realm/filters/${id}`);
    await expectSuccess(ada().delete(`/realm/filters/${id}`));
  });
  expect(eventNames(heard.gus)).toEqual(["realm_linkifiers"]);
});

test("clients that do not know URL templates get neither linkifiers nor their events (spec E20)", async () => {
  const add = (name: string) => () =>
    expectSuccess(ada().post("/realm/filters", { pattern: pattern(name), url_template }));
  const modern = await followAll(harness, members, add("e"), { forms: [forms.modern] });
  expect(eventNames(modern.gus)).toEqual(["realm_linkifiers"]);
  const plain = await followAll(harness, members, add("f"), { forms: [forms.plain] });
  for (const name of members) expect(plain[name]).toEqual([]);
});

test("each change of playgrounds gives everyone the whole list", async () => {
  const site = { name: "Runner", pygments_language: "Python", url_template };
  const heard = await everyone(async () => {
    const { id } = await expectSuccess(ada().post("/realm/playgrounds", site));
    await expectSuccess(ada().post("/realm/playgrounds", { ...site, name: "Other" }));
    await ada().post("/realm/playgrounds", site);
    await expectSuccess(ada().delete(`/realm/playgrounds/${id}`));
  });
  const names = heard.gus?.map(({ realm_playgrounds }) =>
    (realm_playgrounds as { name: string }[]).map(({ name }) => name),
  );
  expect(names).toEqual([["Runner"], ["Runner", "Other"], ["Other"]]);
  await expectSilence(harness, { hears: "gus", silent: ["zed"] }, () =>
    expectSuccess(ada().post("/realm/playgrounds", { ...site, name: "Third" })),
  );
});

test("each change of domains gives everyone an event, and the last one ends the restriction", async () => {
  const heard = await everyone(async () => {
    await expectSuccess(ada().post("/realm/domains", { domain: "B.example", allow_subdomains: false }));
    await expectSuccess(ada().post("/realm/domains", { domain: "a.example", allow_subdomains: true }));
    await expectSuccess(ada().patch("/realm", { emails_restricted_to_domains: true }));
    await expectSuccess(ada().patch("/realm/domains/b.example", { allow_subdomains: true }));
    await expectSuccess(ada().patch("/realm/domains/b.example", { allow_subdomains: true }));
    await expectSuccess(ada().delete("/realm/domains/b.example"));
    await expectSuccess(ada().delete("/realm/domains/a.example"));
  });
  for (const name of members) {
    expect(eventNames(heard[name])).toEqual([
      "realm_domains/add",
      "realm_domains/add",
      "realm/update",
      "realm_domains/change",
      "realm_domains/remove",
      "realm/update",
      "realm_domains/remove",
    ]);
  }
  expect(heard.gus?.[3]).toMatchObject({ realm_domain: { domain: "b.example", allow_subdomains: true } });
  expect(heard.gus?.[5]).toMatchObject({ property: "emails_restricted_to_domains", value: false });
});

test("the lists of the first state follow the events also in a stream of changes at the same time", async () => {
  await followAll(harness, ["dev", "gus"], async () => {
    await Promise.all(
      ["g", "h", "i", "j"].flatMap((name) => [
        ada().post("/realm/filters", { pattern: pattern(name), url_template }),
        harness.as("ben").post("/realm/playgrounds", { name, pygments_language: "Go", url_template }),
        ada().post("/realm/domains", { domain: `${name}.example`, allow_subdomains: false }),
        ada().patch(`/realm/domains/${name}.example`, { allow_subdomains: true }),
        ada().delete(`/realm/domains/${name}.example`),
      ]),
    );
  });
});

test("each change of custom emoji gives everyone all of them", async () => {
  const heard = await everyone(async () => {
    await addEmojiBy("dev", "party_soup");
    await addEmojiBy("elin", "tea_party");
    await expectSuccess(harness.as("dev").delete("/realm/emoji/party_soup"));
    await addEmojiBy("elin", "party_soup");
    await harness.as("dev").delete("/realm/emoji/tea_party");
  });
  for (const name of members) expect(eventNames(heard[name])).toEqual(Array(4).fill("realm_emoji/update"));
  const last = Object.values(heard.gus?.at(-1)?.realm_emoji as Record<string, Record<string, unknown>>);
  expect(last.map(({ name, deactivated }) => [name, deactivated])).toEqual([
    ["party_soup", true],
    ["tea_party", false],
    ["party_soup", false],
  ]);
});

async function addEmojiBy(name: CastName, emoji_name: string): Promise<void> {
  const { email, apiKey } = harness.user(name);
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  const sent = await call(
    harness.app,
    addCustomEmoji as unknown as Endpoint,
    { emoji_name },
    { host: HOST, authorization },
  );
  expect(sent.status, sent.text).toBe(200);
}
