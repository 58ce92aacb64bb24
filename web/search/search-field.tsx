import { createEffect, For, on, onMount, Show } from "solid-js";
import type { Narrow } from "../../client/narrow.ts";
import { t } from "../i18n/t.ts";
import { route } from "../shared/routing/route.ts";
import { Icon } from "../ui/icon.tsx";
import { isComposing } from "../ui/is-composing.ts";
import { createFieldState } from "./field-state.ts";
import { SearchOptions } from "./search-options.tsx";
import { pillText } from "./term-words.ts";

interface FieldProps {
  /** What the field begins with. Another value takes the place of what was typed. */
  terms: Narrow;
  /** Changes when the person asks for the field again. */
  wanted: object | undefined;
  /** The list is always there, as on a phone. */
  isSheet?: boolean;
  onDone(isGivenUp: boolean): void;
}

/** A text with pills for its finished terms, and a list of what could be meant. */
export function SearchField(props: FieldProps) {
  let form: HTMLFormElement | undefined;
  let input: HTMLInputElement | undefined;
  const field = createFieldState(() => {
    input?.blur();
    props.onDone(false);
  });
  createEffect(() => field.show(props.terms));
  const focus = () => {
    input?.focus();
    field.setOpen(true);
  };
  createEffect(() => props.wanted && focus());
  onMount(() => props.wanted && focus());
  /** What was typed and left does not go along to other views. */
  const drop = () => {
    if (props.isSheet || document.activeElement === input) return;
    field.show(props.terms);
    props.onDone(false);
  };
  createEffect(on(route, drop, { defer: true }));

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event) || event.altKey || event.ctrlKey || event.metaKey) return;
    const count = field.options().length;
    const isAtStart = input?.selectionStart === 0 && input.selectionEnd === 0;
    const last = field.terms().at(-1);
    if (event.key === "ArrowDown" && !field.isOpen()) field.setOpen(true);
    else if (event.key === "ArrowDown" && count > 0) field.setAt((field.at() + 1) % count);
    else if (event.key === "ArrowUp" && count > 0) field.setAt((Math.max(field.at(), 0) + count - 1) % count);
    else if (event.key === "Enter") field.choose(field.isOpen() ? field.options()[field.at()] : undefined);
    else if (event.key === "Tab" && field.isOpen() && field.at() > 0 && !event.shiftKey)
      field.choose(field.options()[field.at()]);
    else if (event.key === "Backspace" && isAtStart && last) field.remove(last);
    else if (event.key === "Escape") giveUp();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** First the list goes, then what was typed. */
  function giveUp(): void {
    const isTyped = field.text() !== "" || field.terms().length > 0;
    if (field.isOpen() && isTyped && !props.isSheet) return void field.setOpen(false);
    field.setOpen(false);
    field.show(props.terms);
    input?.blur();
    props.onDone(true);
  }

  const leave = (event: FocusEvent) => {
    if (form?.contains(event.relatedTarget as Node | null)) return;
    if (props.isSheet) return;
    field.setOpen(false);
    if (field.text() === "" && field.terms().length === 0) props.onDone(false);
  };
  const clear = () => {
    field.show([]);
    focus();
  };
  const activeId = () => {
    const isThere = (field.isOpen() || props.isSheet) && field.options()[field.at()];
    return isThere ? `search-option-${field.at()}` : undefined;
  };
  return (
    <form
      ref={(one) => {
        form = one;
      }}
      class="search-field"
      aria-label={t("search.label")}
      onSubmit={(event) => {
        event.preventDefault();
        field.run();
      }}
      onFocusOut={leave}
    >
      <Icon name="search" />
      <For each={field.terms()}>
        {(term) => (
          <span class="pill">
            <bdi>{pillText(term)}</bdi>
            <button
              type="button"
              aria-label={t("search.remove", { term: pillText(term) })}
              onClick={() => {
                field.remove(term);
                focus();
              }}
            >
              <Icon name="close" />
            </button>
          </span>
        )}
      </For>
      <input
        ref={(one) => {
          input = one;
        }}
        role="combobox"
        aria-label={t("search.label")}
        placeholder={field.terms().length === 0 ? t("search.label") : ""}
        aria-expanded={field.isOpen() || (props.isSheet ?? false)}
        aria-controls="search-options"
        aria-activedescendant={activeId()}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        enterkeyhint="search"
        dir="auto"
        value={field.text()}
        onFocus={() => field.setOpen(true)}
        onClick={() => field.setOpen(true)}
        onInput={(event) => {
          field.type(event.currentTarget.value);
          // What became a pill is gone from the text.
          if (event.currentTarget.value !== field.text()) event.currentTarget.value = field.text();
        }}
        onKeyDown={onKeyDown}
      />
      <Show when={field.text() !== "" || field.terms().length > 0}>
        <button type="button" class="square" aria-label={t("search.clear")} onClick={clear}>
          <Icon name="close" />
        </button>
      </Show>
      <Show when={field.isOpen() || props.isSheet}>
        <SearchOptions
          options={field.options()}
          at={field.at()}
          onPoint={field.setAt}
          onChoose={(option) => {
            if (!field.choose(option)) input?.focus();
          }}
        />
      </Show>
    </form>
  );
}
