/**
 * The windows of the narrows that were opened last. Events keep them right; pages make them longer. A window
 * of which events don't tell everything is outdated: what is on the screen is asked for again, and others are
 * forgotten. A narrow that a wider known window contains is shown from that until its own page comes.
 */
import { canReadChannel } from "../channel-reading.ts";
import type { QueuedEvent } from "../contract.ts";
import { newPlace, type UpdateEvent } from "../model/messages.ts";
import type { Model } from "../model/model.ts";
import { conversationOf, keyOfNarrow, matchesNarrow, mayHold, type Narrow } from "../narrow.ts";
import {
  beginsAnew,
  channelOf,
  dependsOnTexts,
  isConcerned,
  isOfDirect,
  isWithHistory,
  namesChannels,
  staysAfter,
} from "../narrow-operators.ts";
import { changesOf, type MessageChange } from "./message-changes.ts";
import { MessageWindow, type Page } from "./message-window.ts";

const MAX_WINDOWS = 30;
const MAX_MESSAGES = 30_000;

interface Listener {
  onChange(key: string): void;
  /**
   * A window in use needs pages: it is outdated, or only the server can tell which new messages belong to it.
   */
  onNeed(window: MessageWindow): void;
}

export class MessageWindows {
  /** The one that was used last is at the end. */
  readonly #windows = new Map<string, MessageWindow>();
  /** On the screen, some maybe more than once. */
  readonly #inUse: MessageWindow[] = [];
  readonly #model: () => Model;
  readonly #listener: Listener;

  constructor(model: () => Model, listener: Listener) {
    this.#model = model;
    this.#listener = listener;
  }

  /** The narrow's window, which may be empty. */
  open(narrow: Narrow): MessageWindow {
    const key = keyOfNarrow(narrow);
    const window = this.#windows.get(key) ?? this.#answer(narrow);
    this.#windows.delete(key);
    this.#windows.set(key, window);
    this.#drop();
    return window;
  }

  /** The one that was used last is the last. */
  get all(): Iterable<MessageWindow> {
    return this.#windows.values();
  }

  /** Whether it is still the window of its narrow. */
  has(window: MessageWindow): boolean {
    return this.#windows.get(window.key) === window;
  }

  use(window: MessageWindow): void {
    this.#inUse.push(window);
  }

  /** What events don't keep right is forgotten when the person goes elsewhere. */
  leave(window: MessageWindow): void {
    this.#inUse.splice(this.#inUse.indexOf(window), 1);
    if (this.isInUse(window) || !this.has(window)) return;
    if (window.isOutdated || beginsAnew(window.narrow) || !this.isTold(window)) this.#outdate(window);
  }

  isInUse(window: MessageWindow): boolean {
    return this.#inUse.includes(window);
  }

  /**
   * Whether events tell of everything that happens to its messages. In channels without a subscription they
   * don't.
   */
  isTold({ narrow, ids }: MessageWindow): boolean {
    const { subscriptions, messages } = this.#model();
    const channelId = channelOf(narrow);
    if (channelId !== undefined) return subscriptions.isSubscribed(channelId);
    if (isOfDirect(narrow)) return true;
    if (namesChannels(narrow) || (dependsOnTexts(narrow) && this.#hasLeftAny)) return false;
    return ids.every((id) => {
      const to = messages.byId.get(id)?.to;
      return to?.kind !== "channel" || subscriptions.isSubscribed(to.channelId);
    });
  }

  /** Received messages of channels that the viewer has left may come to match, and no event tells. */
  get #hasLeftAny(): boolean {
    return [...this.#model().subscriptions.byChannel.values()].some(({ isSubscribed }) => !isSubscribed);
  }

  /** Puts a page that was asked for, and then what has happened since. */
  put(window: MessageWindow, page: Page, since: readonly QueuedEvent[] = []): void {
    window.put(page);
    for (const event of since) this.#handleIn([window], event);
    this.#listener.onChange(window.key);
  }

  /** After an event that the model has handled. */
  handle(event: QueuedEvent): void {
    this.#handleIn([...this.#windows.values()], event);
  }

  /** There is a new snapshot, and anything may have been missed. What is in use stays on the screen. */
  restart(): void {
    for (const [key, window] of this.#windows) {
      if (this.isInUse(window)) window.isOutdated = window.isLoaded;
      else this.#windows.delete(key);
    }
    this.#dropUnreadable();
  }

  #handleIn(windows: readonly MessageWindow[], event: QueuedEvent): void {
    for (const change of changesOf(event, this.#model().viewer.id)) {
      if (change.kind === "subscription" || change.kind === "access") this.#dropUnreadable();
      for (const window of windows) this.#apply(window, change, event);
    }
  }

  #apply(window: MessageWindow, change: MessageChange, event: QueuedEvent): void {
    const { kind, messageIds } = change;
    if (kind === "arrival") this.#arrive(window, messageIds?.[0] as number);
    else if (kind === "deletion") this.#remove(window, (id) => messageIds?.includes(id) === true);
    else if (kind === "subscription" || kind === "access") {
      if (this.#concernsChannels(window, change)) this.#outdate(window);
    } else if (!isConcerned(window.narrow, kind)) return;
    else if (messageIds) this.#review(window, messageIds, change, event);
    else if (!staysAfter(window.narrow, kind)) this.#outdate(window);
  }

  #arrive(window: MessageWindow, id: number): void {
    const matches = this.#matches(window, id);
    if (matches === true && window.insert(id)) this.#listener.onChange(window.key);
    if (matches !== undefined || !window.spans(id) || window.has(id)) return;
    window.foundNewest = false;
    if (this.isInUse(window)) this.#listener.onNeed(window);
  }

  /** Messages that may have come to match, or have stopped matching. */
  #review(window: MessageWindow, ids: readonly number[], { kind }: MessageChange, event: QueuedEvent): void {
    const place = kind === "move" ? newPlace(event as unknown as UpdateEvent) : undefined;
    // After these changes, messages can only stop matching.
    const stays = staysAfter(window.narrow, kind);
    const gone = new Set<number>();
    let [isChanged, isUnknown] = [false, false];
    for (const id of ids) {
      const isKnown = this.#model().messages.byId.has(id);
      const matches = isKnown
        ? this.#matches(window, id)
        : place && !mayHold(window.narrow, place, this.#model().viewer.id)
          ? false
          : undefined;
      if (matches === false) gone.add(id);
      else if (matches) isChanged = window.insert(id) || isChanged;
      else isUnknown ||= window.has(id) || (!stays && window.spans(id));
    }
    if (!stays) isChanged = window.remove((id) => gone.has(id)) || isChanged;
    if (isChanged) this.#listener.onChange(window.key);
    if (isUnknown) this.#outdate(window);
  }

  #concernsChannels({ narrow, ids }: MessageWindow, { kind, channelIds }: MessageChange): boolean {
    const own = channelOf(narrow);
    if (own !== undefined) return channelIds?.includes(own) ?? true;
    if (isOfDirect(narrow)) return false;
    const { byId } = this.#model().messages;
    const isOfThem = (id: number) => {
      const to = byId.get(id)?.to;
      return to?.kind === "channel" && channelIds?.includes(to.channelId);
    };
    if (kind === "subscription" && ids.some(isOfThem)) return true;
    // A person who joins a public channel receives what is sent from now on.
    const { channels } = this.#model();
    const isOpen = channelIds?.every((id) => channels.get(id)?.isPrivate === false) ?? false;
    return kind === "access" || !isOpen || isConcerned(narrow, kind);
  }

  /** What only the server can tell now is asked for again, or forgotten where nobody sees it. */
  #outdate(window: MessageWindow): void {
    // The newest messages of all conversations stay for the first paint of others.
    if (window.isLoaded && (this.isInUse(window) || window.narrow.length === 0)) window.isOutdated = true;
    else if (!this.isInUse(window)) this.#windows.delete(window.key);
    this.#listener.onChange(window.key);
    if (this.isInUse(window)) this.#listener.onNeed(window);
  }

  /** Channels that are gone for this person take their messages along. */
  #dropUnreadable(): void {
    const model = this.#model();
    const canRead = new Map<number, boolean>();
    for (const { id, to } of model.messages.byId.values()) {
      if (to.kind !== "channel") continue;
      const channel = model.channels.get(to.channelId);
      if (!canRead.has(to.channelId))
        canRead.set(to.channelId, channel !== undefined && canReadChannel(model, channel));
      if (!canRead.get(to.channelId)) model.messages.byId.delete(id);
    }
    for (const window of this.#windows.values()) {
      const channelId = channelOf(window.narrow);
      if (channelId !== undefined && !model.channels.get(channelId) && window.isLoaded) {
        window.clear();
        this.#listener.onChange(window.key);
      } else this.#remove(window, (id) => !model.messages.byId.has(id));
    }
  }

  #remove(window: MessageWindow, isGone: (id: number) => boolean): void {
    if (window.remove(isGone)) this.#listener.onChange(window.key);
  }

  #matches(window: MessageWindow, id: number): boolean | undefined {
    const message = this.#model().messages.byId.get(id);
    return message && matchesNarrow(window.narrow, message, this.#model().viewer.id);
  }

  /**
   * From the window of all messages: what it has of the narrow, up to the newest. For channels, it has
   * only what the viewer received, so the narrow's own page puts this in order.
   */
  #answer(narrow: Narrow): MessageWindow {
    const window = new MessageWindow(narrow);
    const wide = this.#windows.get("");
    if (!wide?.isLoaded || wide.isOutdated || !wide.foundNewest || !this.#isShownFromAll(narrow))
      return window;
    const ids: number[] = [];
    for (const id of wide.ids) {
      const matches = this.#matches(window, id);
      if (matches === undefined) return window;
      if (matches) ids.push(id);
    }
    if (ids.length > 0) window.show({ ids, foundOldest: false, foundNewest: true });
    return window;
  }

  #isShownFromAll(narrow: Narrow): boolean {
    const place = conversationOf(narrow);
    if (place?.kind === "channel") return this.#model().subscriptions.isSubscribed(place.channelId);
    return narrow.length > 0 && !isWithHistory(narrow);
  }

  /** Forgets the windows that were not used for longest, and the messages that no window has. */
  #drop(): void {
    for (const [key, window] of this.#windows) {
      if (this.#windows.size <= MAX_WINDOWS) break;
      if (!this.isInUse(window)) this.#windows.delete(key);
    }
    const { byId } = this.#model().messages;
    if (byId.size <= MAX_MESSAGES) return;
    const used = new Set([...this.#windows.values()].flatMap(({ ids }) => ids));
    for (const id of byId.keys()) if (!used.has(id)) byId.delete(id);
  }
}
