import { createEffect, createMemo, Show } from "solid-js";
import type { Narrow } from "../../client/narrow.ts";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { isPhone } from "../shared/page/screen.ts";
import { route } from "../shared/routing/route.ts";
import { isSearch } from "../shared/routing/views.ts";
import { closeSearch, searchRequest, startSearch } from "../shared/search/search-request.ts";
import { Icon } from "../ui/icon.tsx";
import { openOverlay } from "../ui/overlay.ts";
import { holdKeys } from "../ui/type-ahead.ts";

const LateSearchField = lazyPart(async () => (await import("./search-field.tsx")).SearchField);
const SearchSheet = lazyPart(async () => (await import("./search-sheet.tsx")).SearchSheet);

/** The place of searches in the bar: a button, until the person searches. On a phone the field is a sheet. */
export function SearchPlace() {
  const shown = createMemo<Narrow>(
    () => {
      const current = route();
      return current.view === "messages" && isSearch(current.narrow) ? current.narrow : [];
    },
    [],
    { equals: (a, b) => a === b || (a.length === 0 && b.length === 0) },
  );
  const terms = () => {
    const wanted = searchRequest()?.terms ?? [];
    return wanted.length > 0 ? wanted : shown();
  };
  let button: HTMLButtonElement | undefined;
  createEffect(() => {
    const wanted = searchRequest();
    if (wanted && isPhone()) openOverlay((close) => <SearchSheet terms={terms()} onClose={close} />);
  });
  const onDone = (isGivenUp: boolean) => {
    closeSearch();
    // Where the field was, the button is again.
    if (isGivenUp)
      queueMicrotask(() => document.activeElement === document.body && button?.isConnected && button.focus());
  };
  return (
    <search class="search-place">
      <Show
        when={!isPhone() && (searchRequest() || shown().length > 0)}
        fallback={
          <button
            ref={(element) => {
              button = element;
            }}
            type="button"
            class="jump"
            aria-label={t("search.label")}
            onClick={() => startSearch()}
          >
            <Icon name="search" />
            <span>{t("search.label")}</span>
            <kbd>/</kbd>
          </button>
        }
      >
        <SearchField terms={terms()} wanted={searchRequest()} onDone={onDone} />
      </Show>
    </search>
  );
}

/** A search that is shown has its field too, which waits for nobody's keys. */
function SearchField(props: Parameters<typeof LateSearchField>[0]) {
  if (props.wanted) holdKeys(".search-place", () => props.onDone(true));
  return <LateSearchField {...props} />;
}
