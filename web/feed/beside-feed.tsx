import { type ComponentProps, Show } from "solid-js";
import { keepOneStop } from "./feed-stops.ts";
import { StickyBar } from "./rows/sticky-bar.tsx";

/** What a feed does without until its messages are there: the bar at its top, and one stop of the Tab key. */
export function BesideFeed(props: ComponentProps<typeof StickyBar> & { isMixed: boolean }) {
  keepOneStop(props.scroller);
  return (
    <Show when={props.isMixed}>
      <StickyBar {...props} />
    </Show>
  );
}
