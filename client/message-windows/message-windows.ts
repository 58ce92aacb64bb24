/**
 * The windows of the narrows that were opened last. Events keep them right; pages make them longer. A narrow
 * that a wider known window contains is answered from that, so that a switch needs no request.
 */
import type { EventOf } from "../../api/event.ts";
import type { flagAdded, flagRemoved } from "../../api/events/flags.ts";
import type { messageSent } from "../../api/events/messages.ts";
import { type DeletionEvent, deletedIds, newPlace, type UpdateEvent } from "../model/messages.ts";
import type { Model } from "../model/model.ts";
import { keyOfNarrow, matchesNarrow, type Narrow } from "../narrow.ts";
import { MessageWindow, type Page } from "./message-window.ts";

const MAX_WINDOWS = 30;
const MAX_MESSAGES = 30_000;

type WindowEvent = { type: string };
type FlagEvent = EventOf<typeof flagAdded> | EventOf<typeof flagRemoved>;

export class MessageWindows {
  /** The one that was used last is at the end. */
  readonly #windows = new Map<string, MessageWindow>();
  readonly #model: () => Model;
  readonly #onChange: (key: string) => void;

  constructor(model: () => Model, onChange: (key: string) => void) {
    this.#model = model;
    this.#onChange = onChange;
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

  put(window: MessageWindow, page: Page): void {
    window.put(page);
    this.#onChange(window.key);
  }

  /** After an event that the model has handled. */
  handle(event: WindowEvent): void {
    if (event.type === "message") this.#handleMessage(event as EventOf<typeof messageSent>);
    else if (event.type === "update_message") this.#handleUpdate(event as UpdateEvent);
    else if (event.type === "update_message_flags") this.#handleFlags(event as FlagEvent);
    else if (event.type === "delete_message") this.#remove(deletedIds(event as DeletionEvent));
  }

  /**
   * There is a new snapshot, and messages may have been missed. The window in use stays on the screen, and is
   * fetched again from its own messages on.
   */
  restart(inUse: MessageWindow | undefined): void {
    for (const [key, window] of this.#windows) if (window !== inUse) this.#windows.delete(key);
    if (inUse) inUse.foundNewest = false;
  }

  #handleMessage({ message: { id } }: EventOf<typeof messageSent>): void {
    const message = this.#model().messages.byId.get(id);
    if (!message) return;
    for (const window of this.#windows.values()) {
      const matches = matchesNarrow(window.narrow, message, this.#model().viewer.id);
      // What only the server can decide is fetched when the view is at its end.
      if (matches === undefined) window.foundNewest = false;
      else if (matches && window.append(id)) this.#onChange(window.key);
    }
  }

  #handleUpdate(event: UpdateEvent): void {
    if (!newPlace(event)) return;
    for (const window of this.#windows.values()) {
      const here = event.message_ids.filter((id) => this.#matches(window, id) === true);
      const gone = event.message_ids.filter((id) => this.#matches(window, id) === false);
      const isChanged = [window.remove(gone), ...here.map((id) => window.insertWithin(id))].includes(true);
      // Some of the moved messages were never fetched, so the range may have gaps now.
      if (event.message_ids.some((id) => this.#matches(window, id) === undefined)) this.#forget(window);
      if (isChanged) this.#onChange(window.key);
    }
  }

  /** Messages that were starred or not any more. What was read stays in the view of unread messages. */
  #handleFlags({ flag, messages }: FlagEvent): void {
    if (flag !== "starred") return;
    for (const window of this.#windows.values()) {
      if (!window.narrow.some(({ operator, operand }) => operator === "is" && operand === flag)) continue;
      const gone = messages.filter((id) => this.#matches(window, id) === false);
      const here = messages.filter((id) => this.#matches(window, id) === true);
      const isChanged = [window.remove(gone), ...here.map((id) => window.insertWithin(id))].includes(true);
      if (isChanged) this.#onChange(window.key);
    }
  }

  #matches(window: MessageWindow, id: number): boolean | undefined {
    const message = this.#model().messages.byId.get(id);
    return message && matchesNarrow(window.narrow, message, this.#model().viewer.id);
  }

  /** Keeps what is shown, but fetches both sides again. */
  #forget(window: MessageWindow): void {
    window.foundOldest = false;
    window.foundNewest = false;
  }

  #remove(ids: readonly number[]): void {
    for (const window of this.#windows.values()) if (window.remove(ids)) this.#onChange(window.key);
  }

  /** From the window of all messages: what it has of the narrow, up to the newest. */
  #answer(narrow: Narrow): MessageWindow {
    const window = new MessageWindow(narrow);
    const wide = this.#windows.get("");
    if (!wide?.isLoaded || !wide.foundNewest || narrow.length === 0) return window;
    const ids: number[] = [];
    for (const id of wide.ids) {
      const matches = this.#matches(window, id);
      if (matches === undefined) return window;
      if (matches) ids.push(id);
    }
    if (ids.length > 0) window.put({ ids, foundOldest: wide.foundOldest, foundNewest: true });
    return window;
  }

  /** Forgets the windows that were not used for longest, and the messages that no window has. */
  #drop(): void {
    for (const key of this.#windows.keys()) {
      if (this.#windows.size <= MAX_WINDOWS) break;
      this.#windows.delete(key);
    }
    const { byId } = this.#model().messages;
    if (byId.size <= MAX_MESSAGES) return;
    const used = new Set([...this.#windows.values()].flatMap(({ ids }) => ids));
    for (const id of byId.keys()) if (!used.has(id)) byId.delete(id);
  }
}
