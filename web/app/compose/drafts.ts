/**
 * Texts that were not sent yet, by conversation. They are kept in this browser at once, for the account that
 * wrote them, and on the server a little later, unless the account has that turned off.
 */
import { createDrafts, deleteDraft, editDraft } from "../../../api/drafts.ts";
import { userSettings } from "../../../api/user-settings.ts";
import { CallError } from "../../../client/call-error.ts";
import type { Draft } from "../../../client/model/drafts.ts";
import type { Conversation } from "../../../client/narrow.ts";
import { state } from "../state/state.ts";

const MAX_DRAFTS = 100;
const WAIT_MS = 2000;

export interface KeptDraft {
  place: Conversation;
  text: string;
  /** UNIX seconds; undefined: in this browser only. */
  editedAt: number | undefined;
}

const timers = new Map<string, ReturnType<typeof setTimeout>>();
/** Removed here; the event about it may still be on its way. */
const removed = new Set<number>();
/** One call after the other, so that a draft is not created twice. */
let last: Promise<void> = Promise.resolve();

export function draftKey(place: Conversation | undefined): string {
  if (place?.kind === "direct") return `direct ${[...place.userIds].sort((a, b) => a - b)}`;
  return `channel ${place?.channelId} ${place?.topic ?? ""}`;
}

/** Of this browser, or else one that was written elsewhere. */
export function draftOf(place: Conversation | undefined): string {
  const key = draftKey(place);
  return read()[key] ?? findOnServer(key)?.content ?? "";
}

/** An empty text removes the draft. The oldest go when there are too many. */
export function keepDraft(place: Conversation | undefined, text: string): void {
  const key = draftKey(place);
  const { [key]: _old, ...others } = read();
  const kept = Object.entries(others).slice(-(MAX_DRAFTS - 1));
  const all = text.trim() === "" ? kept : [...kept, [key, text] as const];
  localStorage.setItem(storageKey(), JSON.stringify(Object.fromEntries(all)));
  clearTimeout(timers.get(key));
  if (!place || !isAddressed(place) || !isSynced()) return;
  const save = () => {
    timers.delete(key);
    last = last.then(() => saveOnServer(place, text));
  };
  if (text.trim() === "") save();
  else timers.set(key, setTimeout(save, WAIT_MS));
}

/** Those of the server and of this browser, the newest first. */
export function listDrafts(): KeptDraft[] {
  const drafts = new Map<string, KeptDraft>();
  for (const { id, to, content, editedAt } of state.model.drafts.byId.values()) {
    if (to.kind !== "nobody" && !removed.has(id))
      drafts.set(draftKey(to), { place: to, text: content, editedAt });
  }
  for (const [key, text] of Object.entries(read())) {
    const place = placeOf(key);
    if (place) drafts.set(key, { place, text, editedAt: drafts.get(key)?.editedAt });
  }
  return [...drafts.values()].sort((a, b) => (b.editedAt ?? Infinity) - (a.editedAt ?? Infinity) || 0);
}

function storageKey(): string {
  return `parley.drafts.${state.model.viewer.id}`;
}

function read(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(storageKey()) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}

function placeOf(key: string): Conversation | undefined {
  const direct = /^direct ([\d,]+)$/.exec(key)?.[1];
  if (direct) return { kind: "direct", userIds: direct.split(",").map(Number) };
  const [, channelId, topic = ""] = /^channel ([1-9]\d*) (.*)$/s.exec(key) ?? [];
  return channelId === undefined ? undefined : { kind: "channel", channelId: Number(channelId), topic };
}

/** A channel whose topic is open is no address yet. */
function isAddressed(place: Conversation): boolean {
  if (place.kind === "direct") return place.userIds.length > 0;
  return place.channelId !== 0 && place.topic !== undefined;
}

function isSynced(): boolean {
  return state.model.settings.get(userSettings.enableDraftsSynchronization);
}

function findOnServer(key: string): Draft | undefined {
  return [...state.model.drafts.byId.values()].find(
    ({ id, to }) => to.kind !== "nobody" && draftKey(to) === key && !removed.has(id),
  );
}

/** What can't be saved there is still in this browser, and is saved with the next change. */
async function saveOnServer(place: Conversation, text: string): Promise<void> {
  const known = findOnServer(draftKey(place));
  const isEmpty = text.trim() === "";
  if (isEmpty ? !known : known?.content === text.trim()) return;
  if (known && isEmpty) removed.add(known.id);
  const { connection } = state;
  const draft = wireOf(place, text);
  try {
    if (known && isEmpty) await connection.call(deleteDraft, { draft_id: known.id } as never);
    else if (known) await connection.call(editDraft, { draft_id: known.id, draft } as never);
    else await connection.call(createDrafts, { drafts: [draft] } as never);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}

function wireOf(place: Conversation, content: string) {
  if (place.kind === "direct") return { type: "private", to: [...place.userIds], topic: "", content };
  return { type: "stream", to: [place.channelId], topic: place.topic ?? "", content };
}
