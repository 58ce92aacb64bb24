import { createEffect, For, on, onMount, Show } from "solid-js";
import type { Narrow, NarrowTerm } from "../../client/narrow.ts";
import { t } from "../i18n/t.ts";
import { route } from "../shared/routing/route.ts";
import { Icon } from "../ui/icon.tsx";
import { createFieldState } from "./field-state.ts";
import { searchKeys } from "./search-keys.ts";
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
  let form!: HTMLFormElement;
  let input: HTMLInputElement | undefined;
  const field = createFieldState({
    isAlwaysOpen: props.isSheet ?? false,
    onDone() {
      input?.blur();
      props.onDone(false);
    },
  });
  createEffect(() => field.show(props.terms));
  const focus = (isNew?: boolean) => {
    input?.focus();
    if (isNew) input?.select();
    field.setOpen(true);
  };
  createEffect(() => props.wanted && focus(true));
  onMount(() => props.wanted && focus(true));
  /** What was typed and left does not go along to other views. */
  const drop = () => {
    if (props.isSheet || document.activeElement === input) return;
    field.show(props.terms);
    props.onDone(false);
  };
  createEffect(on(route, drop, { defer: true }));
  const isEmpty = () => field.text() === "" && field.terms().length === 0;

  /** First the list goes, then what was typed. */
  function giveUp(): void {
    if (field.isOpen() && !isEmpty() && !props.isSheet) return void field.setOpen(false);
    field.setOpen(false);
    field.show(props.terms);
    input?.blur();
    props.onDone(true);
  }

  const leave = (event: FocusEvent) => {
    if (props.isSheet || form.contains(event.relatedTarget as Node | null)) return;
    field.setOpen(false);
    if (isEmpty()) props.onDone(false);
  };
  return (
    <form
      ref={form}
      class="search-field"
      aria-label={t("search.label")}
      onSubmit={(event) => {
        event.preventDefault();
        field.run();
      }}
      onFocusOut={leave}
    >
      <Icon name="search" />
      <Pills
        terms={field.terms()}
        onRemove={(term) => {
          field.remove(term);
          focus();
        }}
      />
      <input
        ref={(element) => {
          input = element;
          field.list.attach(element);
        }}
        aria-label={t("search.label")}
        placeholder={field.terms().length === 0 ? t("search.label") : ""}
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
        onKeyDown={searchKeys(field, giveUp)}
      />
      <Show when={!isEmpty()}>
        <button
          type="button"
          class="square"
          aria-label={t("search.clear")}
          onClick={() => {
            field.show([]);
            focus();
          }}
        >
          <Icon name="close" />
        </button>
      </Show>
      <Show when={field.isListOpen()}>
        <SearchOptions list={field.list} />
      </Show>
    </form>
  );
}

function Pills(props: { terms: Narrow; onRemove(term: NarrowTerm): void }) {
  return (
    <For each={props.terms}>
      {(term) => (
        <span class="pill">
          <bdi>{pillText(term)}</bdi>
          <button
            type="button"
            aria-label={t("search.remove", { term: pillText(term) })}
            onClick={() => props.onRemove(term)}
          >
            <Icon name="close" />
          </button>
        </span>
      )}
    </For>
  );
}
