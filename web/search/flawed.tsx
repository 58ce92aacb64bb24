import { Show } from "solid-js";
import type { SearchFlaw } from "../../client/search/flaws.ts";
import { t } from "../i18n/t.ts";
import type { TextKey } from "../i18n/texts.ts";
import { route } from "../shared/routing/route.ts";
import { startSearch } from "../shared/search/search-request.ts";

const texts: Readonly<Record<SearchFlaw["kind"], TextKey>> = {
  operator: "search.flaw.operator",
  channel: "search.flaw.channel",
  person: "search.flaw.person",
  value: "search.flaw.value",
  both: "search.flaw.both",
  tooLong: "search.flaw.tooLong",
  tooMany: "search.flaw.tooMany",
};

/** Why nothing was searched for. What was typed is still in the field. */
export function FlawedSearch(props: { flaw: SearchFlaw }) {
  const change = () => {
    const current = route();
    startSearch(current.view === "messages" ? current.narrow : []);
  };
  const words = () => {
    const { text, operator = "", values = [] } = props.flaw;
    return t(texts[props.flaw.kind], { text, operator, values: values.join(", ") });
  };
  return (
    <div class="feed-frame">
      <div class="empty no-results" role="alert">
        <p>{words()}</p>
        <p>
          <button type="button" class="button" onClick={change}>
            {t("search.change")}
          </button>
        </p>
        <Show when={props.flaw.kind !== "tooLong"}>
          <p>
            <a href="/help/search" target="_blank" rel="noopener">
              {t("search.help")}
            </a>
          </p>
        </Show>
      </div>
    </div>
  );
}
