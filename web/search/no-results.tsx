import { For, Show } from "solid-js";
import type { Narrow } from "../../client/narrow.ts";
import { t } from "../i18n/t.ts";
import { linkTo } from "../shared/routing/links.ts";
import { state } from "../shared/state/state.ts";
import { live } from "../ui/live.ts";
import { pillText } from "./term-words.ts";

/** What to try when nothing was found. */
export function NoResults(props: { narrow: Narrow }) {
  const [first, ...more] = props.narrow;
  const isOfAlertWords = first?.operator === "is" && first.operand === "alerted" && more.length === 0;
  const hasWords = live(["alertWords", "generation"], () => state.model.alertWords.words.length > 0);
  return (
    <Show when={!isOfAlertWords || hasWords()} fallback={<NoAlertWords />}>
      <Tips narrow={props.narrow} />
    </Show>
  );
}

function NoAlertWords() {
  return (
    <div class="empty no-results">
      <h2>{t("search.noAlertWords")}</h2>
      <p>
        <a href="#settings/notifications">{t("search.addAlertWords")}</a>
      </p>
    </div>
  );
}

/** More places, or fewer terms. */
function Tips(props: { narrow: Narrow }) {
  const isEverywhere = () =>
    props.narrow.some(
      ({ operator, operand }) => operator !== "search" && placesThatInclude(operator, operand),
    );
  const withAllPublic = () => linkTo([{ operator: "channels", operand: "public" }, ...props.narrow]);
  const withoutMarks = () =>
    linkTo(
      props.narrow.map((term) =>
        term.operator === "search" ? { ...term, operand: String(term.operand).replace(/"/g, "") } : term,
      ),
    );
  const hasPhrase = () =>
    props.narrow.some(({ operator, operand }) => operator === "search" && String(operand).includes('"'));
  return (
    <div class="empty no-results">
      <h2>{t("search.nothing")}</h2>
      <ul>
        <Show when={!isEverywhere()}>
          <li>
            <a href={withAllPublic()}>{t("search.tryPublic")}</a>
          </li>
        </Show>
        <Show when={hasPhrase()}>
          <li>
            <a href={withoutMarks()}>{t("search.tryWords")}</a>
          </li>
        </Show>
        <Show when={props.narrow.length > 1}>
          <For each={props.narrow}>
            {(term) => (
              <li>
                <a href={linkTo(props.narrow.filter((one) => one !== term))}>
                  {t("search.tryWithout", { term: pillText(term) })}
                </a>
              </li>
            )}
          </For>
        </Show>
      </ul>
      <p>
        {t("search.nothingHint")}{" "}
        <a href="/help/search" target="_blank" rel="noopener">
          {t("search.help")}
        </a>
      </p>
    </div>
  );
}

/** Terms that look beyond what the viewer received, or that no public channel can match. */
function placesThatInclude(operator: string, operand: unknown): boolean {
  if (["channel", "channels", "dm", "dm-including", "id"].includes(operator)) return true;
  return operator === "is" && operand !== "resolved" && operand !== "followed";
}
