import { Show } from "solid-js";
import { conversationNarrow, conversationOf, type Narrow } from "../../client/narrow.ts";
import { t } from "../i18n/t.ts";
import { isPhone } from "../shared/page/screen.ts";
import { isSearch } from "../shared/routing/views.ts";
import { startSearch } from "../shared/search/search-request.ts";
import { Icon } from "../ui/icon.tsx";

/** Begins a search in the conversation of the view. On a phone, every view has it instead of a field. */
export function SearchHere(props: { narrow: Narrow }) {
  const place = () => conversationOf(props.narrow);
  const label = () => t(place() ? "search.here" : isSearch(props.narrow) ? "search.change" : "search.label");
  const start = () => {
    const one = place();
    startSearch(one ? conversationNarrow(one) : isSearch(props.narrow) ? props.narrow : []);
  };
  return (
    <Show when={place() || isPhone()}>
      <button type="button" class="square search-here" aria-label={label()} onClick={start}>
        <Icon name="search" />
      </button>
    </Show>
  );
}
