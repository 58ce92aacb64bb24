/** Joins the texts of this browser with the server, once the first screen is there. */

import { errors } from "../../../api/errors.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { createDrafts, deleteDraft, editDraft } from "../../../api/personal/drafts.ts";
import { CallError } from "../../../client/call-error.ts";
import type { Conversation } from "../../../client/narrow.ts";
import { readStoredJson, removeStored } from "../state/browser-storage.ts";
import { maxMessageLength } from "../state/server-limits.ts";
import { state } from "../state/state.ts";
import { choosing } from "./begun-text.ts";
import { type DraftServer, TextSaver } from "./save-texts.ts";
import type { TextStore } from "./text-store.ts";

const server: DraftServer = {
  isOn: () => state.model.settings.get(userSettings.enableDraftsSynchronization),
  drafts: () => state.model.drafts.byId,
  previous: () => state.model.drafts.previous,
  now: Date.now,
  maxLength: maxMessageLength,
  create: (draft) =>
    attempt(async () => {
      const { ids } = await state.connection.call(createDrafts, { drafts: [draft] });
      return ids[0];
    }),
  edit: (draft_id, draft) =>
    attempt(async () => {
      try {
        await state.connection.call(editDraft, { draft_id, draft });
        return "done";
      } catch (error) {
        if (error instanceof CallError && error.is(errors.draftDoesNotExist)) return "gone";
        throw error;
      }
    }),
  remove: (draft_id) => attempt(() => state.connection.call(deleteDraft, { draft_id })),
};

export function startSaving(store: TextStore): TextSaver {
  const saver = new TextSaver(store, server);
  importOldDrafts(store);
  const reconcile = () => {
    if (!state.isStale) saver.reconcile();
  };
  reconcile();
  state.changes.listen((changed) => {
    if (changed.has("drafts") || changed.has("generation")) reconcile();
  });
  for (const { id } of store.listRemoved()) void saver.save(id);
  return saver;
}

/** An earlier version kept all drafts under one key, by place. */
function importOldDrafts(store: TextStore): void {
  const key = `parley.drafts.${state.model.viewer.id}`;
  const old = readStoredJson(key);
  if (typeof old !== "object" || old === null) return;
  for (const [name, content] of Object.entries(old)) {
    const place = placeOf(name);
    if (place && typeof content === "string") store.keep(place, content);
  }
  removeStored(key);
}

/** It did not tell an open topic from the empty one. The open one can't be sent by mistake. */
function placeOf(key: string): Conversation | undefined {
  const people = /^direct ([\d,]*)$/.exec(key)?.[1];
  if (people !== undefined)
    return { kind: "direct", userIds: people === "" ? [] : people.split(",").map(Number) };
  const [, channelId, topic] = /^channel (\d+) (.*)$/s.exec(key) ?? [];
  if (channelId === undefined) return undefined;
  return channelId === "0"
    ? choosing
    : { kind: "channel", channelId: Number(channelId), topic: topic || undefined };
}

/** What can't be saved is still in this browser, and is saved with the next change. */
async function attempt<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return undefined;
  }
}
