import { onMount, Show } from "solid-js";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { isPhone } from "../shared/page/screen.ts";
import { roving } from "../ui/roving.ts";
import { Channels } from "./channels.tsx";
import { DirectMessages } from "./direct-messages.tsx";
import { Filter } from "./filter.tsx";
import { useListWidth } from "./list-width.ts";
import { Views } from "./views.tsx";

const Resizer = lazyPart(async () => (await import("./resizer.tsx")).Resizer);

/** What the arrows go through: rows, headings of sections, and buttons that show more. */
const ROWS = ".item, .section-toggle";

export function Sidebar() {
  let list: HTMLDivElement | undefined;
  onMount(() => list && roving(list, ROWS));
  return (
    <nav class="sidebar" aria-label={t("app.views")}>
      <Filter />
      <div
        class="sidebar-list"
        ref={(element) => {
          list = element;
        }}
      >
        <Views />
        <DirectMessages />
        <Channels />
      </div>
      <Show when={!isPhone()}>
        <Edge />
      </Show>
    </nav>
  );
}

function Edge() {
  return <Resizer width={useListWidth()} />;
}
