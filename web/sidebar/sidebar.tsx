import { onMount, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { isPhone } from "../shared/page/screen.ts";
import { roving } from "../ui/roving.ts";
import { Channels } from "./channels.tsx";
import { DirectMessages } from "./direct-messages.tsx";
import { Filter } from "./filter.tsx";
import { Resizer } from "./resizer.tsx";
import { Views } from "./views.tsx";

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
        <Resizer />
      </Show>
    </nav>
  );
}
