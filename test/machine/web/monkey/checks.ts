/** What must hold, whatever anybody did. Each check gives the problems that it found. */
import type { JSHandle, Page } from "playwright-core";
import { type LiveState, registerParameters } from "../../../../client/live-state.ts";
import { Model } from "../../../../client/model/model.ts";
import { narrowParameter } from "../../../../client/narrow.ts";
import { sql } from "../../../../server/platform/db/sql.ts";
import type { Harness } from "../../../harness/harness.ts";
import { authorizationOf } from "../../../harness/uploads.ts";
import { liveStateOf } from "./live-state.ts";
import type { Written } from "./person.ts";

const ANSWER_MS = 5000;
const SENDING_MS = 10_000;
const REST_MS = 20_000;
const STORING_MS = 5000;
/** The start of a client, also on a machine that is busy. */
const START_MS = 30_000;

/** A page that is frozen does not run the simplest program. */
export async function findFrozen(page: Page): Promise<string[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), ANSWER_MS);
  });
  // A page that is being loaded answers with an error.
  const answer = page.evaluate(() => 1).catch(() => 1);
  const first = await Promise.race([answer, late]);
  clearTimeout(timer);
  return first === "late" ? ["a page does not answer in five seconds"] : [];
}

/** A page that has no screen of the client, whatever it was that it met. */
export async function findAbsent(page: Page): Promise<string[]> {
  const isThere = () => document.querySelector(".app") !== null;
  const has = await page.waitForFunction(isThere, undefined, { timeout: START_MS }).then(
    () => true,
    () => false,
  );
  if (has) return [];
  const text = await page.evaluate(() => document.body.textContent?.slice(0, 200)).catch(String);
  return [`the page ${page.url()} has no client half a minute after the network is back, but "${text}"`];
}

/** Rows that say "sending" though everything gets through. `since`: when each was first seen so. */
export async function findStuck(page: Page, since: Map<string, number>, fairMs: number): Promise<string[]> {
  const keys = await page
    .locator("article.sending")
    .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.key ?? ""));
  for (const key of since.keys()) if (!keys.includes(key)) since.delete(key);
  const now = Date.now();
  for (const key of keys) since.set(key, since.get(key) ?? now);
  const stuck = keys.filter((key) => Math.min(fairMs, now - (since.get(key) ?? now)) > SENDING_MS);
  return stuck.map((key) => `the message ${key} is "sending" for more than ten seconds`);
}

/** Texts that are nowhere, when the pages had the time to write to the storage what is on no screen. */
export async function findLost(harness: Harness, pages: readonly Page[], written: readonly Written[]) {
  const deadline = Date.now() + STORING_MS;
  let problems = await findMissing(harness, pages, written);
  while (problems.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    problems = await findMissing(harness, pages, written);
  }
  return problems;
}

/** Texts that are on no screen, in no storage of the browser, and not at the server. */
async function findMissing(harness: Harness, pages: readonly Page[], written: readonly Written[]) {
  const places: string[] = [];
  for (const page of pages) {
    places.push(
      await page.evaluate(() => {
        const fields = [...document.querySelectorAll<HTMLTextAreaElement>("textarea, input")];
        const stored = [...Object.values(localStorage), ...Object.values(sessionStorage)];
        return [document.body.textContent, ...fields.map(({ value }) => value), ...stored].join("\n");
      }),
    );
  }
  const dev = harness.as("dev");
  const own = { narrow: [{ operator: "sender", operand: harness.user("dev").id }], anchor: "newest" };
  const pagesOfOwn = { num_before: 5000, num_after: 0, apply_markdown: false };
  for (const more of [{}, { narrow: [...own.narrow, { operator: "channels", operand: "public" }] }])
    places.push(JSON.stringify((await dev.get("/messages", { ...own, ...pagesOfOwn, ...more })).body));
  for (const path of ["/drafts", "/scheduled_messages"])
    places.push(JSON.stringify((await dev.get(path)).body));
  const all = places.join("\n");
  return written.filter(({ word }) => !all.includes(word)).map(({ word }) => `the text ${word} is nowhere`);
}

/** Each typed text has words of its own, so two messages with one text are one that was sent twice. */
export async function findSentTwice(harness: Harness, written: readonly Written[]) {
  const { organizationId } = harness.state;
  const rows = await harness.services.database.query<{ content: string }>(sql`
    select content from messages where organization_id = ${organizationId} and sender_id = ${harness.user("dev").id}
    group by content having count(*) > 1`);
  return rows
    .filter(({ content }) => written.some(({ word }) => content.includes(word)))
    .map(({ content }) => `sent twice: ${content}`);
}

/** At the address of the page, which is in what the server answers. */
export interface Site {
  harness: Harness;
  url: string;
}

async function call({ harness, url }: Site, method: "GET" | "POST" | "DELETE", path: string, params: object) {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  const inQuery = method === "GET";
  const response = await fetch(`${url}/api/v1${path}${inQuery ? `?${form}` : ""}`, {
    method,
    headers: { authorization: authorizationOf(harness, "dev"), "user-agent": "ParleyTest/1.0" },
    ...(!inQuery && { body: form }),
  });
  return { status: response.status, body: await response.json() };
}

/** Compares the page's model with one of a fresh snapshot, when everything has come. */
export async function findStale(site: Site, page: Page): Promise<string[]> {
  const state = await liveStateOf(page);
  const deadline = Date.now() + REST_MS;
  let problems: string[] = [];
  do {
    problems = [...(await compareModels(site, state)), ...(await compareWindow(site, state))];
    if (problems.length > 0) await new Promise((resolve) => setTimeout(resolve, 500));
  } while (problems.length > 0 && Date.now() < deadline);
  await state.dispose();
  return problems;
}

async function compareModels(site: Site, state: JSHandle<LiveState>): Promise<string[]> {
  const shown = JSON.parse(await state.evaluate((live) => JSON.stringify(live.model.comparable())));
  const { body } = await call(site, "POST", "/register", registerParameters);
  await call(site, "DELETE", "/events", { queue_id: body.queue_id });
  const fresh = JSON.parse(
    JSON.stringify(Model.fromSnapshot(body, { parameters: registerParameters }).comparable()),
  );
  return Object.keys(fresh).flatMap((subject) =>
    differences(subject, shown[subject], fresh[subject]).slice(0, 3),
  );
}

function differences(path: string, shown: unknown, fresh: unknown): string[] {
  if (JSON.stringify(shown) === JSON.stringify(fresh)) return [];
  if (!isObject(shown) || !isObject(fresh))
    return [
      `${path}: ${JSON.stringify(shown)?.slice(0, 200)} should be ${JSON.stringify(fresh)?.slice(0, 200)}`,
    ];
  const keys = new Set([...Object.keys(shown), ...Object.keys(fresh)]);
  return [...keys].flatMap((key) => differences(`${path}.${key}`, shown[key], fresh[key]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** The messages on the screen are those of the server, without a gap and with their newest texts. */
async function compareWindow(site: Site, state: JSHandle<LiveState>): Promise<string[]> {
  const shown = await state.evaluate((live) => {
    const window = live.windowInUse;
    if (!window?.isLoaded) return undefined;
    const { narrow, ids, foundNewest, isOutdated } = window;
    const texts = ids.map((id) => live.model.messages.byId.get(id)?.content);
    const heard = [...live.model.subscriptions.byChannel.values()].flatMap((subscription) =>
      subscription.isSubscribed ? subscription.channelId : [],
    );
    return JSON.stringify({ narrow, ids, foundNewest, texts, isOutdated, heard });
  });
  if (shown === undefined) return [];
  const { narrow, ids, foundNewest, texts, isOutdated, heard } = JSON.parse(shown);
  const { status, body } = await call(site, "GET", "/messages", {
    ...{ narrow: narrowParameter(narrow), anchor: foundNewest ? "newest" : (ids.at(-1) ?? "newest") },
    ...{ num_before: ids.length + 20, num_after: 0, allow_empty_topic_name: true, client_gravatar: false },
  });
  if (status !== 200) return [];
  const found = (body.messages as { id: number; content: string }[]).filter(({ id }) => id >= (ids[0] ?? 0));
  const claim = isOutdated ? "outdated" : "up to date";
  const where = `in ${JSON.stringify(narrow)}, which is ${claim} (events come of the channels ${heard})`;
  const missing = found.filter(({ id }) => !ids.includes(id)).map(({ id }) => id);
  const extra = (ids as number[]).filter((id) => !found.some((message) => message.id === id));
  const outdated = found.filter(({ id, content }) => ids.includes(id) && texts[ids.indexOf(id)] !== content);
  return [
    ...(missing.length > 0 ? [`messages ${missing} are missing ${where}`] : []),
    ...(extra.length > 0 ? [`messages ${extra} are not there any more ${where}`] : []),
    ...(outdated.length > 0 ? [`messages ${outdated.map(({ id }) => id)} have other texts ${where}`] : []),
  ];
}
