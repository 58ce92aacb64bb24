/** A text that a person has begun: what it is for, what it says, and what the server has of it. */
import { foldName } from "../../../api/fold-name.ts";
import type { Conversation } from "../../../client/narrow.ts";

/** A message to a place that may still be open, a message that is edited, or one that is sent later. */
export type TextPlace =
  | Conversation
  | { kind: "edit"; messageId: number; to: Conversation }
  | { kind: "scheduled"; id: number };

export interface BegunText {
  readonly id: string;
  readonly place: TextPlace;
  /** What was typed so far where the place leaves the topic open. */
  readonly topic: string;
  readonly content: string;
  /** In milliseconds. */
  readonly changedAt: number;
  /** The text that an edit began from. */
  readonly base?: string | undefined;
  /** The server's draft, as it was last known. */
  readonly saved?: SavedDraft | undefined;
  /** Hashes of what this browser has saved and read lately. What the server says of it is no news. */
  readonly versions?: readonly number[] | undefined;
  /** Those that this browser has saved and whose events have not come yet, the last one at the end. */
  readonly pending?: readonly number[] | undefined;
  /** As it is stored when it is sent or given up: the hash of what it said at last. */
  readonly last?: number | undefined;
  /** As it is stored: how many writes of each page this version knows of. */
  readonly writes?: Readonly<Record<string, number>> | undefined;
}

export interface SavedDraft {
  readonly draftId: number;
  readonly content: string;
  /** Its key, as the server knows the place. */
  readonly place: string;
}

const MAX_VERSIONS = 40;
const MAX_PENDING = 10;

/** What the storage keeps of a text that is too long for any message. */
const MAX_STORED = 100_000;

export const choosing: Conversation = { kind: "channel", channelId: 0, topic: undefined };

/** Equal for places that share a text. A channel whose topic is open is none of its topics. */
export function placeKey(place: TextPlace): string {
  if (place.kind === "direct") return `direct ${[...place.userIds].sort((a, b) => a - b)}`;
  if (place.kind === "edit") return `edit ${place.messageId}`;
  if (place.kind === "scheduled") return `scheduled ${place.id}`;
  return `channel ${place.channelId}${place.topic === undefined ? "" : ` ${foldName(place.topic)}`}`;
}

/** The channel, its topic or the people are not chosen yet. */
export function isOpenPlace(place: TextPlace | undefined): boolean {
  if (place?.kind === "direct") return place.userIds.length === 0;
  return place?.kind === "channel" && (place.channelId === 0 || place.topic === undefined);
}

/** As the server stores texts: without empty lines before and space after. */
export function sameText(a: string, b: string): boolean {
  return a.trim() === b.trim();
}

export function isBlank(text: BegunText): boolean {
  return text.content.trim() === "";
}

/**
 * Whether what this page has would be lost if `theirs` took its place; undefined: the text is gone. `was`:
 * what the writer of that had before. `isLast`: whether a text that is gone said this when it went.
 */
export function isLost(
  mine: BegunText,
  theirs: BegunText | undefined,
  { was, isTyped, isLast }: { was: string; isTyped: boolean; isLast?: boolean | undefined },
): boolean {
  if (isBlank(mine) || (theirs && sameText(mine.content, theirs.content))) return false;
  if (!sameText(mine.content, was)) return true;
  if (!isTyped) return false;
  return !(theirs ? keepsMost(mine.content, theirs.content) : (isLast ?? true));
}

/** Whether a change of the text left at least half of it, from its beginning or its end. */
export function keepsMost(before: string, after: string): boolean {
  const [a, b] = [before.trim(), after.trim()];
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return (start + end) * 2 >= a.length;
}

/** Tells the versions of a draft apart. */
export function hashOf({ place, content }: Pick<SavedDraft, "place" | "content">): number {
  let hash = 0;
  for (const character of `${place}\n${content.trim()}`)
    hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return hash;
}

/** With a version that this browser knows: as a whole, and its content wherever it may be moved. */
export function withVersion(text: BegunText, saved = text.saved): BegunText {
  if (!saved) return text;
  const known = new Set([...(text.versions ?? []), contentHash(saved.content), hashOf(saved)]);
  return { ...text, versions: [...known].slice(-MAX_VERSIONS) };
}

/** With a version that this browser is saving. */
export function withPending(text: BegunText, version: number): readonly number[] {
  return [...(text.pending ?? []), version].slice(-MAX_PENDING);
}

/** As it is stored when it is sent or given up. */
export function givenUp(text: BegunText): BegunText {
  return { ...text, content: "", last: contentHash(text.content) };
}

export function contentHash(content: string): number {
  return hashOf({ place: "", content });
}

export function writeText(text: BegunText): string {
  return JSON.stringify({ ...text, content: text.content.slice(0, MAX_STORED) });
}

/** undefined: it is none, say of an older program. */
export function readText(id: string, stored: string | undefined): BegunText | undefined {
  try {
    const text = JSON.parse(stored ?? "null") as Partial<BegunText> | null;
    if (typeof text?.content !== "string" || typeof text.place?.kind !== "string") return undefined;
    // Earlier releases kept one number. A page of theirs may be open beside this one.
    const pending = text.pending === undefined ? undefined : [text.pending].flat();
    const { topic = "", changedAt } = text;
    return { ...(text as BegunText), id, topic, changedAt: Number(changedAt) || 0, pending };
  } catch {
    return undefined;
  }
}
