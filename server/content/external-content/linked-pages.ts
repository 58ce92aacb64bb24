/** What is known of pages that messages link to. It is fetched by jobs, and kept for a while. */
import { createHash } from "node:crypto";
import type { LinkPreview } from "../../../markdown/lookups.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { FetchError, type FetchOptions, type FetchParts, fetchOutside } from "./fetch.ts";
import { fetchPartsOf } from "./fetch-parts.ts";
import { type PageFacts, pageFactsOf } from "./page-facts.ts";
import { deleteSurplusPages, listPages, type PageRow, putPage } from "./store.ts";

/** How many pages of one message are read: the first ones. */
export const MAX_PAGES = 5;

const FETCH: FetchOptions = {
  accept: "text/html,application/xhtml+xml",
  hasType: (type) => type === "text/html" || type === "application/xhtml+xml",
  maxBytes: 1024 * 1024,
  isCut: true,
  headMs: 5_000,
  timeoutMs: 5_000,
  isInBackground: true,
};
const DAY_SECONDS = 24 * 3600;
/** A page that could not be read is tried again sooner. */
const FAILED_SECONDS = 3600;
/** How many an organization keeps. */
export const MAX_KEPT_PAGES = 10_000;

const NOTHING: PageFacts = { title: null, description: null, imageUrl: null };

/** What is known of these pages. null: it is known that they have nothing to show. */
export type KnownPages = ReadonlyMap<string, LinkPreview | null>;

export async function findPages(
  tx: Queryable,
  { organizationId }: OrganizationState,
  urls: readonly string[],
): Promise<KnownPages> {
  const looked = urls.slice(0, MAX_PAGES);
  if (looked.length === 0) return new Map();
  const rows = await listPages(tx, organizationId, looked.map(digestOf));
  const known = new Map(rows.map((row) => [row.digest.toString("hex"), row]));
  const pages = new Map<string, LinkPreview | null>();
  for (const url of looked) {
    const row = known.get(digestOf(url).toString("hex"));
    if (row) pages.set(url, previewOf(row));
  }
  return pages;
}

function previewOf({ title, description, imageUrl }: PageRow): LinkPreview | null {
  const hasText = title !== null || description !== null;
  return imageUrl !== null && hasText ? { title, description, imageUrl } : null;
}

/** Fetches those of these pages of which nothing is known. Returns false if some must be tried later. */
export async function fetchPages(
  services: Pick<Services, "config" | "organizations" | "outbound">,
  state: OrganizationState,
  urls: readonly string[],
): Promise<boolean> {
  const { database, organizationId } = state;
  const known = await findPages(database, state, urls);
  const missing = urls.slice(0, MAX_PAGES).filter((url) => !known.has(url));
  if (missing.length === 0) return true;
  const parts = fetchPartsOf(services);
  const fetched = await Promise.all(missing.map((url) => fetchOnce(parts, state, url)));
  await deleteSurplusPages(database, organizationId, MAX_KEPT_PAGES);
  return !fetched.includes(false);
}

/** By node, then by organization and page. */
const underWay = new WeakMap<FetchParts, Map<string, Promise<boolean>>>();

/** A page to which many messages link at once is asked for once. */
function fetchOnce(parts: FetchParts, state: OrganizationState, url: string): Promise<boolean> {
  const all = underWay.get(parts) ?? new Map<string, Promise<boolean>>();
  underWay.set(parts, all);
  const key = `${state.organizationId} ${digestOf(url).toString("hex")}`;
  const begun = all.get(key);
  if (begun) return begun;
  const fetching = fetchAndKeep(parts, state, url).finally(() => all.delete(key));
  all.set(key, fetching);
  return fetching;
}

async function fetchAndKeep(
  parts: FetchParts,
  { database, organizationId }: OrganizationState,
  url: string,
): Promise<boolean> {
  const facts = await fetchPage(parts, organizationId, url);
  if (facts === "busy") return false;
  const lifetime = facts === NOTHING ? FAILED_SECONDS : DAY_SECONDS;
  await putPage(database, organizationId, { digest: digestOf(url), ...facts }, lifetime);
  return true;
}

async function fetchPage(
  parts: FetchParts,
  organizationId: OrganizationState["organizationId"],
  url: string,
): Promise<PageFacts | "busy"> {
  try {
    const page = await fetchOutside(parts, organizationId, withoutFragment(url), FETCH);
    return await pageFactsOf(textOf(page.body, page.contentType), page.url);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return error.failure === "busy" || error.failure === "stopped" ? "busy" : NOTHING;
  }
}

/** By the encoding that the host names, or the page in its first bytes. UTF-8 by default. */
function textOf(body: Buffer, contentType: string): string {
  const named =
    /;\s*charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]{1,200}?charset\s*=\s*["']?([\w-]+)/i.exec(body.toString("latin1", 0, 1024))?.[1];
  return decoderOf(named).decode(body);
}

function decoderOf(label = "utf-8"): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    // An encoding that nobody knows.
    return new TextDecoder();
  }
}

function digestOf(url: string): Buffer {
  return createHash("sha256").update(withoutFragment(url)).digest();
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, "");
}
