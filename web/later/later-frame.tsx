import { type JSX, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { go } from "../shared/routing/route.ts";
import { Icon } from "../ui/icon.tsx";

/** A view with a list of what is to come. */
export function LaterFrame(props: { title: string; isEmpty: boolean; empty: string; children: JSX.Element }) {
  return (
    <>
      <header class="view-header">
        <button type="button" class="square back" aria-label={t("header.back")} onClick={() => go("#")}>
          <Icon name="back" />
        </button>
        <h1>{props.title}</h1>
      </header>
      <div class="inbox later">
        <Show when={!props.isEmpty} fallback={<p class="note">{props.empty}</p>}>
          <ul>{props.children}</ul>
        </Show>
      </div>
    </>
  );
}
