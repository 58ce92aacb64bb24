/**
 * All texts that a person has begun and not sent. One is removed only when it is what was sent, or when the
 * person removes it. What another tab or device does with a text is followed as long as nothing is lost by
 * that: otherwise the text of this page goes on as one of its own.
 */
import type { TopicMove } from "../../../client/moved-topics.ts";
import {
  type BegunText,
  givenUp,
  isBlank,
  isLost,
  isOpenPlace,
  placeKey,
  type SavedDraft,
  sameText,
  type TextPlace,
  withVersion,
} from "./begun-text.ts";
import { judge, type StoredChange, StoredTexts, type TextStorage } from "./stored-texts.ts";

const MAX_TEXTS = 100;

interface Surroundings {
  /** What the account's keys begin with. */
  prefix: string;
  storage: TextStorage;
  now(): number;
  makeId(): string;
  /** Screens may show something else than before. Typing is not reported: the field has it. */
  onChange(): void;
  /** The text is to be written to the storage and to the server. */
  onWrite(id: string): void;
  /** The server's draft is to be removed now. */
  onRemove(id: string): void;
}

export class TextStore {
  readonly #texts = new Map<string, BegunText>();
  /** Removed here, and to be removed on the server. */
  readonly #removed = new Map<string, BegunText>();
  /** Typed here since the box showed them. */
  readonly #typed = new Set<string>();
  readonly #unwritten = new Set<string>();
  /** By place, what the box shows: a text, or none of those that were there when it was emptied. */
  readonly #shown = new Map<string, string | ReadonlySet<string>>();
  readonly #stored: StoredTexts;
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#stored = new StoredTexts(around.prefix, around.storage, around.makeId());
    for (const text of this.#stored.readAll())
      (isBlank(text) ? this.#removed : this.#texts).set(text.id, text);
  }

  get(id: string): BegunText | undefined {
    return this.#texts.get(id);
  }

  getRemoved(id: string): BegunText | undefined {
    return this.#removed.get(id);
  }

  /** Those that say something, the newest first. */
  list(): BegunText[] {
    return [...this.#texts.values()]
      .filter((text) => !isBlank(text))
      .sort((a, b) => b.changedAt - a.changedAt);
  }

  listRemoved(): BegunText[] {
    return [...this.#removed.values()];
  }

  /** What the box shows there. */
  at(place: TextPlace): BegunText | undefined {
    const key = placeKey(place);
    const shown = this.#shown.get(key);
    const text = typeof shown === "string" ? this.#texts.get(shown) : undefined;
    if (text && placeKey(text.place) === key) return text;
    const passed = typeof shown === "object" ? shown : undefined;
    return this.#listAt(key).find(({ id }) => !passed?.has(id));
  }

  /** The other texts for that place. */
  listOthers(place: TextPlace): BegunText[] {
    const shown = this.at(place);
    return this.#listAt(placeKey(place)).filter(({ id }) => id !== shown?.id);
  }

  /** What the person types there. */
  write(place: TextPlace, content: string, topic: string, base?: string): void {
    const text = this.at(place) ?? this.#make(place);
    this.#change({
      ...text,
      content,
      topic,
      changedAt: this.#around.now(),
      ...(base !== undefined && { base }),
    });
    this.#typed.add(text.id);
  }

  /** A text of its own, which the box shows. What stood there is kept. */
  begin(place: TextPlace, content: string): void {
    const text = this.#make(place);
    this.#change({ ...text, content });
    this.#typed.add(text.id);
    this.flush();
    this.#around.onChange();
  }

  /** One more text for the place, behind what stands there. */
  keep(place: TextPlace, content: string, topic = ""): void {
    const text = this.#make(place);
    this.#put({ ...text, content, topic, changedAt: 0 });
    this.flush();
  }

  /** The box shows this one. */
  show(id: string): void {
    const text = this.#texts.get(id);
    if (!text) return;
    const before = this.at(text.place);
    if (before && before.id !== id) this.#typed.delete(before.id);
    this.#shown.set(placeKey(text.place), id);
    this.flush();
    this.#around.onChange();
  }

  /** The text goes along to a place that was chosen for it. A draft that was only looked at stays. */
  takeAlong(from: TextPlace, to: TextPlace): boolean {
    const text = this.at(from);
    if (!text || !(isOpenPlace(from) || this.#typed.has(text.id))) return false;
    if (isBlank(text) && (text.topic === "" || !isOpenPlace(to) || this.at(to))) return false;
    this.#shown.delete(placeKey(from));
    this.#change({ ...text, place: to, topic: isOpenPlace(to) ? text.topic : "" });
    this.flush();
    this.#around.onChange();
    return true;
  }

  /** The box is turned to another place, or has gone. */
  leave(place: TextPlace): void {
    const text = this.at(place);
    if (text) this.#typed.delete(text.id);
    const key = placeKey(place);
    if (typeof this.#shown.get(key) === "object") this.#shown.delete(key);
    this.flush();
  }

  /** Removes the texts of the place that say this. There may be copies, kept while another tab wrote too. */
  removeIfSent(place: TextPlace, content: string): void {
    const isSent = (text: BegunText | undefined) => text !== undefined && sameText(text.content, content);
    const sent = () => this.#listAt(placeKey(place)).flatMap((text) => (isSent(text) ? text.id : []));
    const ids = new Set(sent());
    // Others learn what it said at last, so that none takes it for what they have.
    this.flush();
    for (const id of ids) this.refresh(id);
    // Another tab may have moved it, or made a copy necessary.
    for (const id of [...ids, ...sent()]) if (isSent(this.#texts.get(id))) this.remove(id);
  }

  remove(id: string): void {
    const text = this.#texts.get(id);
    if (!text) return;
    this.#pass(text);
    this.#bury(text);
    this.#around.onChange();
  }

  /** Whether there was such a text for the place, or else for any. */
  replaceIn(place: TextPlace, from: string, to: string): boolean {
    const has = ({ content }: BegunText) => content.includes(from);
    const all = [...this.#texts.values()];
    const text = all.find((one) => placeKey(one.place) === placeKey(place) && has(one)) ?? all.find(has);
    if (!text) return false;
    this.#change({ ...text, content: text.content.replace(from, () => to) });
    this.flush();
    this.#around.onChange();
    return true;
  }

  /** Topics that were moved take their texts along. */
  move(moves: readonly TopicMove[]): void {
    let isMoved = false;
    this.refreshAll();
    for (const { from, to } of moves) {
      const [before, after] = [placeKey({ kind: "channel", ...from }), placeKey({ kind: "channel", ...to })];
      for (const text of this.#texts.values()) {
        const { place } = text;
        const isMessage = place.kind === "channel" && placeKey(place) === before;
        const isEdit = place.kind === "edit" && placeKey(place.to) === before;
        if (!isMessage && !isEdit) continue;
        const moved = { kind: "channel" as const, ...to };
        this.#put({ ...text, place: isEdit ? { ...place, to: moved } : moved });
        isMoved = true;
      }
      const shown = this.#shown.get(before);
      if (before === after || shown === undefined) continue;
      this.#shown.delete(before);
      this.#shown.set(after, shown);
    }
    if (!isMoved) return;
    this.flush();
    this.#around.onChange();
  }

  /** Writes what was typed to the storage. The oldest texts leave it when there are too many. */
  flush(): void {
    for (const id of [...this.#unwritten]) {
      this.refresh(id);
      const text = this.#texts.get(id);
      if (text && isBlank(text)) this.#dropBlank(text);
      else if (text) this.#stored.write(text);
    }
    this.#unwritten.clear();
    const isSaved = ({ id }: BegunText) => Number(this.isSaved(id));
    const stored = this.list().filter(({ id }) => this.#stored.has(id));
    stored.sort((a, b) => isSaved(a) - isSaved(b));
    for (const { id } of stored.slice(MAX_TEXTS)) this.#stored.remove(id);
  }

  /**
   * Reads what other tabs have written or removed. It is called when they say so and before each write, since
   * what they say may come late. `change`: what they say, which may have been overtaken by now.
   */
  refresh(id: string, change?: StoredChange): void {
    const news = this.#stored.readNews(id, change);
    if (!news) return;
    const { theirs } = news;
    const mine = this.#texts.get(id);
    const { isGone, isOld, isCovered, was, isLast } = judge(mine, news);
    if (theirs && isGone) this.#removed.set(id, theirs);
    else this.#removed.delete(id);
    if (mine && theirs && (isOld || isCovered)) {
      const { place, saved, versions, pending } = theirs;
      const text = { ...mine, place, saved, versions, pending };
      this.#texts.set(id, text);
      if (!isOld) this.#stored.write(text);
      this.#around.onChange();
    } else this.#replace(id, isGone ? undefined : theirs, was, isLast);
  }

  /** What other tabs have begun, written and removed by now. */
  refreshAll(): void {
    for (const id of this.#stored.allIds()) this.refresh(id);
  }

  /** Takes what became of a text on another device; undefined: it is gone. `was`: what it said before. */
  replace(id: string, theirs: BegunText | undefined, was: string): void {
    const text = theirs && withVersion(theirs);
    this.#replace(id, text, was);
    if (!text) this.#stored.remove(id);
    else if (this.#stored.has(id)) this.#stored.write(text);
  }

  /** `isLast`: whether a text that is gone said what it says here when it went. */
  #replace(id: string, theirs: BegunText | undefined, was: string, isLast?: boolean): void {
    const mine = this.#texts.get(id);
    if (mine && isLost(mine, theirs, { was, isLast, isTyped: this.#typed.has(id) })) this.#fork(mine);
    this.#unwritten.delete(id);
    if (theirs) this.#texts.set(id, theirs);
    else this.#texts.delete(id);
    this.#around.onChange();
  }

  /** A draft of the server that no text here belongs to. It is stored when somebody types. */
  add(text: BegunText): void {
    // A text whose draft was removed goes on as another draft, under its id.
    const id = this.#texts.has(text.id) ? this.#around.makeId() : text.id;
    this.#texts.set(id, withVersion({ ...text, id }));
    this.#around.onChange();
  }

  /** Removes a draft of the server whose text was sent meanwhile. */
  addRemoved(id: string, saved: SavedDraft): void {
    this.refresh(id);
    const text = this.#texts.get(id);
    // Somebody writes on in another tab.
    if (text && !sameText(text.content, saved.content)) return;
    this.#bury(withVersion({ ...(text ?? this.#make({ kind: "direct", userIds: [] }, id)), saved }));
    if (text) this.#around.onChange();
  }

  /** Whether the server has it as it is. */
  isSaved(id: string): boolean {
    const text = this.#texts.get(id);
    return text?.saved !== undefined && sameText(text.content, text.saved.content);
  }

  /** Removes from this browser what the server has. */
  eraseSaved(): void {
    this.flush();
    for (const id of this.#stored.ids())
      if (this.#removed.has(id) || this.isSaved(id)) this.#stored.remove(id);
  }

  /** Events about this version are no news. `pending`: those whose events are awaited. */
  noteVersion(id: string, version: Omit<SavedDraft, "draftId">, pending?: readonly number[]): void {
    this.refresh(id);
    const text = this.#texts.get(id);
    if (!text) return;
    this.#write({ ...withVersion(text, { ...version, draftId: 0 }), pending });
  }

  /** undefined: the server has none any more. */
  setSaved(id: string, saved: SavedDraft | undefined, pending?: readonly number[]): void {
    this.refresh(id);
    const text = this.#texts.get(id);
    if (text) this.#write(withVersion({ ...text, saved, pending }));
  }

  /** As `noteVersion`, for a text that is being removed. */
  noteRemoved(id: string, version: SavedDraft): void {
    const text = this.#removed.get(id);
    if (!text) return;
    const noted = withVersion(text, version);
    this.#removed.set(id, noted);
    this.#stored.write(noted);
  }

  /** The server has removed the draft of a removed text. */
  forget(id: string): void {
    this.#removed.delete(id);
    this.#stored.remove(id);
  }

  #listAt(key: string): BegunText[] {
    return this.list().filter(({ place }) => placeKey(place) === key);
  }

  #make(place: TextPlace, id = this.#around.makeId()): BegunText {
    return { id, place, topic: "", content: "", changedAt: this.#around.now() };
  }

  #change(text: BegunText): void {
    this.#put(text);
    this.#shown.set(placeKey(text.place), text.id);
  }

  #put(text: BegunText): void {
    this.#texts.set(text.id, text);
    this.#unwritten.add(text.id);
    this.#around.onWrite(text.id);
  }

  /** Changes what is known of it, and nothing that its writer sees. */
  #write(text: BegunText): void {
    this.#texts.set(text.id, text);
    if (!isBlank(text)) this.#stored.write(text);
  }

  /** The box stays empty where a text has gone, whatever else was begun for the place. */
  #pass({ id, place }: BegunText): void {
    const key = placeKey(place);
    if (this.#shown.get(key) !== id && this.at(place)?.id !== id) return;
    this.#shown.set(key, new Set(this.#listAt(key).map((text) => text.id)));
  }

  /** A topic that was typed is kept without a text as long as its box is there. */
  #dropBlank(text: BegunText): void {
    this.#pass(text);
    this.#bury(text);
    if (text.topic === "") return;
    const next = { ...this.#make(text.place), topic: text.topic };
    this.#texts.set(next.id, next);
    this.#shown.set(placeKey(text.place), next.id);
  }

  #bury(text: BegunText): void {
    const { id, saved } = text;
    this.#texts.delete(id);
    this.#typed.delete(id);
    this.#unwritten.delete(id);
    const content = isBlank(text) ? (this.#stored.contentOf(id) ?? saved?.content ?? "") : text.content;
    if (!saved) {
      this.#stored.retire({ ...text, content });
      return;
    }
    // Another tab may be saving what it said at last, which is no news then.
    const removed = givenUp(withVersion({ ...text, content }, { ...saved, content }));
    this.#removed.set(id, removed);
    this.#stored.write(removed);
    this.#around.onRemove(id);
  }

  /** The text of this page goes on by itself. */
  #fork(mine: BegunText): void {
    const none = { saved: undefined, versions: undefined, pending: undefined };
    const own = { ...mine, ...none, id: this.#around.makeId() };
    const key = placeKey(mine.place);
    const isShown = this.#shown.get(key) === mine.id || this.#typed.has(mine.id);
    if (this.#typed.delete(mine.id)) this.#typed.add(own.id);
    this.#texts.set(own.id, own);
    if (isShown) this.#shown.set(key, own.id);
    this.#stored.write(own);
    this.#around.onWrite(own.id);
  }
}
