import { type ComponentProps, Show } from "solid-js";
import { keepOneStop } from "./feed-stops.ts";
import { watchLongPress } from "./long-press.ts";
import { StickyBar } from "./rows/sticky-bar.tsx";

/** What a feed does without until its messages are there: its bar, one stop of the Tab key, long presses. */
export function BesideFeed(props: ComponentProps<typeof StickyBar> & { isMixed: boolean }) {
  keepOneStop(props.scroller);
  watchLongPress(props.scroller);
  return (
    <Show when={props.isMixed}>
      <StickyBar {...props} />
    </Show>
  );
}
