/**
 * The texts that this account has begun in this browser, for the box and for the list of drafts. What is
 * typed is written to the storage after a moment, and to the server a little later.
 */
import { batch, createSignal } from "solid-js";
import { type Conversation, conversationOf } from "../../../client/narrow.ts";
import { whenIdle } from "../page/when-idle.ts";
import { route } from "../routing/route.ts";
import {
  listStored,
  onStoredChange,
  readStored,
  removeStored,
  writeStored,
} from "../state/browser-storage.ts";
import { state } from "../state/state.ts";
import { type BegunText, isOpenPlace, placeKey, readText, type TextPlace } from "./begun-text.ts";
import { composeTo, focusCompose, moveTarget } from "./compose-target.ts";
import { resumeEdit } from "./editing.ts";
import type { TextSaver } from "./save-texts.ts";
import { TextStore } from "./text-store.ts";

const WRITE_MS = 500;
const SAVE_MS = 2000;
const AGAIN_MS = 5000;
const PREFIX = "parley.texts.";
/** How long texts are kept of another account that does not come back. */
const MAX_AGE_MS = 7 * 24 * 3600 * 1000;

/** Raised when texts changed otherwise than by typing. */
const [version, setVersion] = createSignal(0);
let store: TextStore | undefined;
let saver: Promise<TextSaver> | undefined;
let isWriting = false;
let isMoving = false;
const saving = new Map<string, ReturnType<typeof setTimeout>>();
/** What the box was just told to show. It does not take along what stood in it. */
let begun: string | undefined;

export { version as textsVersion };

/** Before any screen learns of it, so that a box that goes along finds its text there. */
state.changes.listen((changed) => {
  if (!changed.has("moves")) return;
  isMoving = true;
  texts().move(state.moves);
  moveTarget(state.moves);
  isMoving = false;
  // The address follows first. A box that was drawn in between would be empty.
  queueMicrotask(raise);
});

export function texts(): TextStore {
  store ??= open();
  return store;
}

/** Opens the box at that place with this text. What stood in the box is kept as a text of its own. */
export function beginWith(place: Conversation, content: string): void {
  const current = route();
  const view = current.view === "messages" ? conversationOf(current.narrow) : undefined;
  const isInView = view && placeKey(view) === placeKey(place);
  batch(() => {
    begun = placeKey(place);
    texts().begin(place, content);
    composeTo(isInView ? undefined : place);
    focusCompose();
  });
}

/** The box will show this text where its place is shown. A place that no view shows is opened now. */
export function openText({ id, place }: BegunText): void {
  texts().show(id);
  const isMessage = place.kind === "channel" || place.kind === "direct";
  if (!isMessage || !isOpenPlace(place) || (place.kind === "channel" && place.channelId !== 0)) return;
  composeTo(place);
  focusCompose();
}

/** Whether the box is turned there by a text that was begun for it. */
export function takeBegun(place: TextPlace | undefined): boolean {
  const isBegun = place !== undefined && begun === placeKey(place);
  begun = undefined;
  return isBegun;
}

/** Whether the text has `from`, which becomes `to`. It may have gone along to another place. */
export function replaceInText(place: TextPlace, from: string, to: string): boolean {
  return texts().replaceIn(place, from, to);
}

/** Removes the text of the place if it is this one. */
export function removeIfSent(place: TextPlace, content: string): void {
  texts().removeIfSent(place, content);
}

/** When the session has ended by itself. What only this browser has waits for the same account. */
export function eraseSavedTexts(): void {
  if (state.isReady) texts().eraseSaved();
}

/** Loads what speaks with the server. Without a network it goes on trying. */
export function loadSaver(): Promise<TextSaver> {
  saver ??= importSaving().then(({ startSaving }) => startSaving(texts()));
  return saver;
}

async function importSaving(): Promise<typeof import("./start-saving.ts")> {
  for (;;) {
    try {
      return await import("./start-saving.ts");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

function raise(): void {
  setVersion((count) => count + 1);
}

function open(): TextStore {
  const prefix = `${PREFIX}${state.model.viewer.id}.`;
  eraseOldOnes(prefix);
  const opened = new TextStore({
    ...{ prefix, onWrite, onRemove },
    storage: { read: readStored, write: writeStored, remove: removeStored, list: listStored },
    now: Date.now,
    makeId: () => Date.now().toString(36) + Math.random().toString(36).slice(2, 8),
    onChange: () => isMoving || raise(),
  });
  onStoredChange(prefix, (key, value, before) => opened.refresh(key.slice(prefix.length), { value, before }));
  for (const sign of ["pagehide", "visibilitychange"]) addEventListener(sign, () => opened.flush());
  resumeEdit((messageId) =>
    opened.list().some(({ place }) => place.kind === "edit" && place.messageId === messageId),
  );
  whenIdle(() => void loadSaver());
  return opened;
}

function eraseOldOnes(own: string): void {
  for (const key of listStored(PREFIX)) {
    const text = key.startsWith(own) ? undefined : readText("", readStored(key));
    if (text && text.changedAt < Date.now() - MAX_AGE_MS) removeStored(key);
  }
}

function onWrite(id: string): void {
  saveIn(id, SAVE_MS);
  if (isWriting) return;
  isWriting = true;
  setTimeout(() => {
    isWriting = false;
    store?.flush();
  }, WRITE_MS);
}

function onRemove(id: string): void {
  saveIn(id, 0);
}

function saveIn(id: string, waitMs: number): void {
  clearTimeout(saving.get(id));
  const save = async () => {
    saving.delete(id);
    await (await loadSaver()).save(id);
  };
  saving.set(
    id,
    setTimeout(() => void save(), waitMs),
  );
}
