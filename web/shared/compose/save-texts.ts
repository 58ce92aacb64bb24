/**
 * Keeps begun texts on the server too, for the person's other devices, and takes over what those do. One call
 * follows the other, and what is to be saved is decided when its turn comes.
 */
import type { NewDraft } from "../../../api/personal/drafts.ts";
import { countCharacters } from "../../../client/count-characters.ts";
import type { Draft } from "../../../client/model/drafts.ts";
import {
  type BegunText,
  choosing,
  contentHash,
  hashOf,
  placeKey,
  type SavedDraft,
  sameText,
  type TextPlace,
  withPending,
} from "./begun-text.ts";
import type { TextStore } from "./text-store.ts";

/** An event that is later than that was lost with a page. */
const MAX_PENDING_MS = 60_000;

export interface DraftServer {
  /** Whether the account keeps drafts on the server. */
  isOn(): boolean;
  /** As the events say so far. */
  drafts(): ReadonlyMap<number, Draft>;
  /** As they were before the last events about each, the oldest first. */
  previous(): ReadonlyMap<number, readonly Draft[]>;
  /** Each gives undefined if it failed, and then it is tried with the next change. */
  create(draft: NewDraft): Promise<number | undefined>;
  /** Gives "gone" if the server has no such draft any more. */
  edit(draftId: number, draft: NewDraft): Promise<"done" | "gone" | undefined>;
  remove(draftId: number): Promise<unknown>;
  now(): number;
  /** The server cuts longer ones, so they stay in the browser. In characters. */
  maxLength(): number;
}

export class TextSaver {
  readonly #store: TextStore;
  readonly #server: DraftServer;
  /** Drafts that events have brought. One that is missing later was removed. */
  readonly #seen = new Set<number>();
  /** What is being created. Its event may come before the answer. */
  readonly #creating = new Set<number>();
  /** Drafts that this browser removes. Other tabs may know sooner that they are gone. */
  readonly #gone = new Set<number>();
  /** A text may be on the server although the page that saved it did not live to see that. */
  #isFirst = true;
  #last: Promise<void> = Promise.resolve();

  constructor(store: TextStore, server: DraftServer) {
    this.#store = store;
    this.#server = server;
    // What was known before this page began was in its snapshot, or is gone.
    for (const { saved } of [...store.list(), ...store.listRemoved()])
      if (saved) this.#seen.add(saved.draftId);
  }

  /** Resolves when the server has what is to be saved by now. */
  save(id: string): Promise<void> {
    this.#last = this.#last.then(() => this.#save(id));
    return this.#last;
  }

  /** Compares the texts with the server's drafts, after events or a snapshot. */
  reconcile(): void {
    const drafts = this.#server.drafts();
    // Else a draft that another tab has just saved would become a second text.
    this.#store.refreshAll();
    for (const text of this.#store.listRemoved()) {
      if (text.saved) this.#gone.add(text.saved.draftId);
      this.#finishRemoval(text, drafts);
    }
    for (const text of this.#store.list()) if (text.saved) this.#compare(text, text.saved, drafts);
    for (const draft of drafts.values()) {
      this.#seen.add(draft.id);
      this.#adopt(draft);
    }
    this.#isFirst = false;
  }

  async #save(id: string): Promise<void> {
    this.#store.flush();
    // Another tab may have sent it.
    this.#store.refresh(id);
    const removed = this.#store.getRemoved(id);
    if (removed?.saved) return this.#remove(removed, removed.saved.draftId);
    const text = this.#store.get(id);
    const draft = text && this.#draftOf(text);
    if (!draft || !this.#server.isOn()) return;
    const { content } = text;
    const place = serverKey(text.place);
    if (text.saved?.place === place && sameText(text.saved.content, content)) return;
    const version = hashOf({ place, content });
    this.#store.noteVersion(id, { content, place }, withPending(text, version));
    if (text.saved) return this.#edit(id, draft, { draftId: text.saved.draftId, content, place }, version);
    this.#creating.add(version);
    const draftId = await this.#server.create(draft);
    if (draftId !== undefined) await this.#settle(id, { draftId, content, place }, version);
    this.#creating.delete(version);
  }

  async #edit(id: string, draft: NewDraft, saved: SavedDraft, version: number): Promise<void> {
    const outcome = await this.#server.edit(saved.draftId, draft);
    const text = this.#store.get(id);
    if (text?.saved?.draftId !== saved.draftId || text.pending?.at(-1) !== version) return;
    if (outcome === "gone") this.#store.setSaved(id, undefined);
    else if (outcome === "done") this.#store.setSaved(id, saved, text.pending);
    else this.#store.setSaved(id, text.saved);
    if (outcome === "gone") void this.save(id);
    else this.reconcile();
  }

  async #remove({ id }: BegunText, draftId: number): Promise<void> {
    this.#gone.add(draftId);
    await this.#server.remove(draftId);
    const removed = this.#store.getRemoved(id);
    if (removed) this.#finishRemoval(removed, this.#server.drafts());
  }

  /** The answer may find that the text was sent meanwhile, or saved by another tab. */
  async #settle(id: string, saved: SavedDraft, version: number): Promise<void> {
    this.#store.refresh(id);
    const text = this.#store.get(id);
    const known = text?.saved?.draftId;
    if (text && known === undefined) this.#store.setSaved(id, saved, withPending(text, version));
    if (text && (known === undefined || known === saved.draftId)) return;
    const removedId = idOf(saved.draftId);
    this.#store.addRemoved(removedId, saved);
    await this.#save(removedId);
  }

  /** Without the draft, nothing is left to hide. What another device wrote into it meanwhile is kept. */
  #finishRemoval(text: BegunText, drafts: ReadonlyMap<number, Draft>): void {
    const { id, saved } = text;
    if (!saved) return;
    const { draftId } = saved;
    const last = drafts.get(draftId) ?? this.#server.previous().get(draftId)?.at(-1);
    const isNews = last && !this.#isKnownOf(draftId, last);
    // The first tab that sees it says so in the storage.
    for (const draft of [...this.#overwritten(text, draftId, drafts), ...(isNews ? [last] : [])]) {
      this.#store.noteRemoved(id, savedOf(draft));
      this.#store.keep(placeOf(draft), draft.content);
    }
    if (drafts.has(draftId)) this.#seen.add(draftId);
    else if (this.#seen.has(draftId)) this.#store.forget(id);
  }

  #compare(before: BegunText, saved: SavedDraft, drafts: ReadonlyMap<number, Draft>): void {
    const { id } = before;
    for (const lost of this.#overwritten(before, saved.draftId, drafts)) this.#keepOverwritten(id, lost);
    const text = this.#store.get(id) ?? before;
    const draft = drafts.get(saved.draftId);
    if (!draft) {
      if (!this.#server.isOn()) this.#store.setSaved(id, undefined);
      else if (this.#seen.has(saved.draftId)) this.#store.replace(id, undefined, saved.content);
      return;
    }
    const place = placeOf(draft);
    const key = serverKey(place);
    const version = hashOf({ place: key, content: draft.content });
    if (text.pending?.at(-1) === version) {
      this.#store.setSaved(id, savedOf(draft));
      return;
    }
    if (text.versions?.includes(version)) return;
    if (text.pending !== undefined && text.changedAt > this.#server.now() - MAX_PENDING_MS) {
      this.#keepOverwritten(id, draft);
      return;
    }
    const isMovedHere = serverKey(text.place) !== saved.place;
    const own = { ...text, saved: savedOf(draft), place: isMovedHere ? text.place : place };
    if (isKnown(text, draft)) {
      // Moved elsewhere, with a content that may be older than this one.
      this.#store.replace(id, own, text.content);
      void this.save(id);
      return;
    }
    const theirs = { ...own, content: draft.content, changedAt: draft.editedAt * 1000 };
    this.#store.replace(id, theirs, saved.content);
  }

  /** Tabs that did not know of each other may have a text each for one draft. */
  #isKnownOf(draftId: number, draft: Draft): boolean {
    const all = [...this.#store.list(), ...this.#store.listRemoved()];
    return all.some((text) => text.saved?.draftId === draftId && isKnown(text, draft));
  }

  /** Versions of other devices that the server has lost, since this browser saved its own after them. */
  #overwritten(text: BegunText, draftId: number, drafts: ReadonlyMap<number, Draft>): Draft[] {
    const previous = this.#server.previous().get(draftId) ?? [];
    const last = drafts.get(draftId);
    const all = last ? [...previous, last] : previous;
    return all.filter((draft, at) => {
      const next = all[at + 1];
      return next && text.pending?.includes(hashOf(savedOf(next))) && !isKnown(text, draft);
    });
  }

  /** Another device saved its text just before this one. The server has lost it, so it is kept here. */
  #keepOverwritten(id: string, draft: Draft): void {
    const text = this.#store.get(id);
    if (!text) return;
    // The first tab that sees it says so in the storage.
    this.#store.noteVersion(id, savedOf(draft), text.pending);
    if (!text.content.includes(draft.content.trim())) this.#store.keep(placeOf(draft), draft.content);
  }

  /** A draft belongs to the text that was saved as it, or comes from another device. */
  #adopt(draft: Draft): void {
    const texts = this.#store.list();
    if (this.#gone.has(draft.id) || texts.some(({ saved }) => saved?.draftId === draft.id)) return;
    const place = placeOf(draft);
    const version = hashOf(savedOf(draft));
    const own = texts.find(
      (text) =>
        !text.saved &&
        (text.versions?.includes(version) ||
          (this.#isFirst &&
            serverKey(text.place) === serverKey(place) &&
            sameText(text.content, draft.content))),
    );
    if (own) this.#store.setSaved(own.id, savedOf(draft));
    else if (!this.#creating.has(version))
      this.#store.add({
        ...{ id: idOf(draft.id), place, topic: "", content: draft.content },
        ...{ changedAt: draft.editedAt * 1000, saved: savedOf(draft) },
      });
  }

  /** undefined: it stays in this browser. */
  #draftOf({ place, content }: BegunText): NewDraft | undefined {
    if (content.trim() === "" || countCharacters(content.trim()) > this.#server.maxLength()) return undefined;
    const key = serverKey(place);
    if (key === serverKey(choosing)) return { type: "", to: [], topic: "", content };
    if (place.kind === "direct") return { type: "private", to: [...place.userIds], topic: "", content };
    if (place.kind !== "channel" || place.topic === undefined) return undefined;
    return { type: "stream", to: [place.channelId], topic: place.topic, content };
  }
}

/** The same in all tabs. */
function idOf(draftId: number): string {
  return `d${draftId}`;
}

function placeOf({ to }: Draft): TextPlace {
  return to.kind === "nobody" ? choosing : to;
}

function savedOf(draft: Draft): SavedDraft {
  return { draftId: draft.id, content: draft.content, place: serverKey(placeOf(draft)) };
}

/** Whether this browser has read or written what the draft says. */
function isKnown({ versions }: BegunText, draft: Draft): boolean {
  return versions?.includes(contentHash(draft.content)) ?? false;
}

/** To the server, a message to no one yet and one to no channel yet are the same. */
function serverKey(place: TextPlace): string {
  const isNobody = place.kind === "direct" && place.userIds.length === 0;
  return placeKey(isNobody ? choosing : place);
}
