import { type JSX, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import type { Listbox } from "../ui/listbox.ts";
import { Options } from "../ui/options.tsx";
import type { Option } from "./field-state.ts";
import { describeTerms, iconOf, operatorWords, pillText } from "./term-words.ts";

/** Below the field. A press on it leaves the focus there. */
export function SearchOptions(props: { list: Listbox<Option> }) {
  return (
    <div class="search-options" onPointerDown={(event) => event.preventDefault()}>
      <Options list={props.list} label={t("search.options")}>
        {(option) => <OptionText option={option} />}
      </Options>
      <p class="search-hints">
        <span aria-hidden="true">{t("search.hint")}</span>
        <a
          href="/help/search"
          target="_blank"
          rel="noopener"
          onPointerDown={(event) => event.stopPropagation()}
        >
          {t("search.help")}
        </a>
      </p>
    </div>
  );
}

function OptionText(props: { option: Option }): JSX.Element {
  const { option } = props;
  if (option.kind === "run")
    return <Line icon="search" text={t("search.run")} detail={option.text} isWords />;
  if (option.kind === "recent") return <Line icon="history" text={option.text} detail={t("search.recent")} />;
  if (option.kind === "forget") return <Line icon="trash" text={t("search.forget")} detail="" isWords />;
  const { suggestion } = option;
  if (suggestion.kind === "operator") {
    const { operator, isNegated } = suggestion;
    const words = operatorWords(operator);
    const detail = isNegated ? t("search.not", { words }) : words;
    return <Line icon={iconOf(operator)} text={`${isNegated ? "−" : ""}${operator}:`} detail={detail} />;
  }
  const text = suggestion.terms.map(pillText).join("  ");
  const icon = iconOf(suggestion.terms.at(-1)?.operator ?? "search");
  return <Line icon={icon} text={text} detail={describeTerms(suggestion.terms)} />;
}

/** `isWords`: the text is a sentence, and the detail is what it is about. */
function Line(props: { icon: IconName; text: string; detail: string; isWords?: boolean }) {
  return (
    <>
      <Icon name={props.icon} />
      <bdi classList={{ term: !props.isWords }}>{props.text}</bdi>
      <Show when={props.detail}>
        <bdi class="detail" classList={{ strong: props.isWords ?? false }}>
          {props.detail}
        </bdi>
      </Show>
    </>
  );
}
