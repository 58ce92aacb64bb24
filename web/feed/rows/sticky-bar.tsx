/**
 * The bar of the conversation that is at the top of a mixed view, while its own is scrolled away. It lies
 * over the rows, so it moves none of them.
 */

import { createEffect, createSignal, on, onCleanup, Show } from "solid-js";
import { keyOfNarrow } from "../../../client/narrow.ts";
import { t } from "../../i18n/t.ts";
import { narrowOfMessage } from "../../shared/routing/links.ts";
import { dayName } from "../../shared/text/times.ts";
import { aside } from "../../ui/aside.ts";
import { askForDate } from "../actions/date-dialogs.tsx";
import type { VirtualList } from "../virtual-list/virtual-list.tsx";
import { BarActions } from "./bar-actions.tsx";
import { ConversationBar } from "./conversation-bar.tsx";
import { contentOf, type Row, type RowContent } from "./rows.ts";

interface StickyProps {
  scroller: HTMLElement;
  list: VirtualList<Row>;
  /** Changes with every move of the list. */
  moves: number;
  isResult: boolean;
  onGoToDate(date: Date): void;
}

interface Shown {
  /** The same while the bar is that of one conversation. */
  key: string;
  content: RowContent;
  near: number | undefined;
}

export function StickyBar(props: StickyProps) {
  const [shown, setShown] = createSignal<Shown>();
  let frame = 0;
  let bar!: HTMLDivElement;

  /** Once in a frame, after the list has put its rows in their places. */
  function later(): void {
    if (frame === 0) frame = requestAnimationFrame(look);
  }

  function look(): void {
    frame = 0;
    const next = shownAt(props.scroller, props.list);
    const hadFocus = bar.contains(document.activeElement);
    if (next?.key !== shown()?.key || next?.near !== shown()?.near) setShown(next);
    // A topic that was resolved in its bar has another one.
    if (hadFocus && !bar.contains(document.activeElement)) stops(bar)[0]?.focus({ preventScroll: true });
    push();
  }

  /** The bar of the next conversation takes its place without a jump. */
  function push(): void {
    const { scroller } = props;
    const top = scroller.getBoundingClientRect().top;
    const height = bar.offsetHeight;
    const next = barsBelow(scroller, top)[0];
    const room = next === undefined ? height : next.getBoundingClientRect().top - top;
    bar.style.transform = room < height ? `translateY(${room - height}px)` : "";
    // The arrows go to the others.
    for (const [at, stop] of stops(bar).entries()) {
      const wanted = at === 0 ? 0 : -1;
      if (stop.tabIndex !== wanted) stop.tabIndex = wanted;
    }
    bar.style.insetInlineEnd = `${scroller.offsetWidth - scroller.clientWidth}px`;
  }

  createEffect(on(() => [props.moves, props.list], later));
  onCleanup(() => cancelAnimationFrame(frame));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of actions, and no form.
    <div
      class="sticky-bar"
      role="group"
      aria-label={t("feed.barLabel")}
      ref={bar}
      onKeyDown={goBeside}
      onWheel={({ deltaY }) => props.scroller.scrollBy({ top: deltaY })}
    >
      <Show when={shown()?.key} keyed>
        <div class="column">
          <ConversationBar
            to={(shown() as Shown).content.to}
            near={shown()?.near}
            topicHtml={undefined}
            isResult={props.isResult}
            isActed={false}
          >
            {/* With the bar from its first frame, and before the day, so that neither moves. */}
            <BarActions to={(shown() as Shown).content.to} />
            <button
              type="button"
              class="bar-date"
              title={t("date.title")}
              onClick={() => askForDate(sentAt(), props.onGoToDate)}
            >
              {dayName(sentAt())}
            </button>
          </ConversationBar>
        </div>
      </Show>
    </div>
  );

  function sentAt(): number {
    return shown()?.content.sentAt ?? 0;
  }
}

/** undefined: the row at the top has its own bar, and that is on the screen. */
function shownAt(scroller: HTMLElement, list: VirtualList<Row>): Shown | undefined {
  const row = list.rowAtTop?.row;
  const content = row && contentOf(row);
  if (!content || list.top <= 0) return undefined;
  const { top } = scroller.getBoundingClientRect();
  const next = barsBelow(scroller, top)[0];
  if (next?.closest<HTMLElement>("[data-key]")?.dataset.key === row.key) return undefined;
  return { key: keyOfNarrow(narrowOfMessage(content.to)), content, near: row.id };
}

/** The bars of rows that begin below the top of the view. */
function barsBelow(scroller: HTMLElement, top: number): HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>(".conversation-bar")].filter(
    (bar) => bar.getBoundingClientRect().top >= top,
  );
}

function stops(bar: HTMLElement): HTMLElement[] {
  return [...bar.querySelectorAll<HTMLElement>("a, button")];
}

/** One stop of the Tab key is enough for the conversation: the arrows go to its actions. */
function goBeside(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = aside(event.key);
  if (step === undefined) return;
  const all = stops(event.currentTarget);
  const at = all.indexOf(document.activeElement as HTMLElement);
  all[at + step]?.focus();
  event.preventDefault();
  event.stopPropagation();
}
