/** Completes what is typed in the message field, which keeps the focus and names the active option. */
import { createSignal } from "solid-js";
import type { Completion, Surroundings } from "../../client/autocomplete/complete.ts";
import type { Emoji } from "../../client/autocomplete/emoji.ts";
import type { Token } from "../../client/autocomplete/token.ts";
import type { Conversation } from "../../client/narrow.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { announce } from "../ui/announce.ts";
import { isComposing } from "../ui/is-composing.ts";
import { createListbox } from "../ui/listbox.ts";
import { keepSame } from "../ui/same-list.ts";
import { writing } from "./writing.ts";

/** How many of the newest messages here are looked at for senders, who are proposed first. */
const MAX_LOOKED_AT = 100;

/** LONG: what is typed, what is proposed and what was inserted change together. */
export function createAutocomplete(
  field: () => HTMLTextAreaElement | undefined,
  place: () => Conversation | undefined,
) {
  const [found, setFound] = createSignal<readonly Completion[]>([]);
  const list = createListbox({ items: found, onChoose: (chosen) => accept(chosen.text) });
  let token: Token | undefined;
  let emoji: readonly Emoji[] = [];
  /** Where the space ends that came with a completion. People who type one mean the same. */
  let spaceAt: number | undefined;

  function close(): void {
    token = undefined;
    setFound([]);
  }

  /** After each change of the text, but not inside of an input method's word. */
  function update(): void {
    const element = field();
    const parts = writing.part();
    if (!parts) return void needParts();
    const isRange = element?.selectionStart !== element?.selectionEnd;
    token = element && !isRange ? parts.tokenAt(element.value, element.selectionStart) : undefined;
    if (!token) {
      if (found().length > 0) close();
      return;
    }
    if (token.kind === "emoji" && emoji.length === 0) void needEmoji();
    const wasClosed = found().length === 0;
    // What is proposed again stays the same option, with its elements.
    setFound(keepSame(found(), parts.complete(token, around()), keyOf));
    list.setAt(0);
    if (wasClosed && found().length > 0) announce(t("complete.found", { count: found().length }));
  }

  function around(): Surroundings {
    return {
      model: state.model,
      place: place(),
      recentSenders: recentSenders(),
      topicsOf: (id) => {
        void state.topics.need(id);
        return state.topics.of(id).map(({ name }) => name);
      },
      emoji,
      recentEmoji: writing.part()?.recentEmoji() ?? [],
    };
  }

  /** Runs the code once. The browser compiles code at its first run, which would make the first key slow. */
  function rehearse(): void {
    writing.part()?.complete({ kind: "person", start: 0, query: "" }, around());
  }

  /** What was typed meanwhile counts. */
  async function needParts(): Promise<void> {
    if ((await writing.need()) && document.activeElement === field()) update();
  }

  /** Without the table there are no proposals, and the text stays as it was typed. */
  async function needEmoji(): Promise<void> {
    try {
      emoji = (await writing.part()?.loadEmoji()) ?? [];
      if (emoji.length > 0) update();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** The browser's own insertion, so that undo takes it back. */
  function accept(text: string): void {
    const element = field();
    if (!element || !token) return;
    const { start } = token;
    close();
    element.focus();
    element.setSelectionRange(start, element.selectionEnd);
    document.execCommand("insertText", false, text);
    spaceAt = text.endsWith(" ") ? element.selectionStart : undefined;
  }

  /** Whether the key was for the list. */
  function handleKey(event: KeyboardEvent): boolean {
    const isDoubled = event.key === " " && spaceAt === field()?.selectionStart;
    spaceAt = undefined;
    if (isDoubled) {
      event.preventDefault();
      return true;
    }
    if (list.handleKey(event)) return true;
    const chosen = list.active();
    if (!chosen || isComposing(event)) return false;
    if (event.key === "Escape") close();
    else if (event.key === "Tab" && !event.shiftKey) list.choose();
    else if (event.key === ">" && chosen.kind === "channel") accept(`#**${chosen.label}>`);
    else return false;
    event.preventDefault();
    return true;
  }

  return { list, update, close, handleKey, rehearse };
}

/** All that is shown of it. */
function keyOf({ kind, label, detail, text, userId }: Completion): string {
  return JSON.stringify([kind, label, detail, text, userId]);
}

function recentSenders(): number[] {
  const { messages } = state.model;
  const ids = state.windowInUse?.ids.slice(-MAX_LOOKED_AT).reverse() ?? [];
  return [...new Set(ids.flatMap((id) => messages.byId.get(id)?.senderId ?? []))].filter(
    (id) => id !== state.model.viewer.id,
  );
}
