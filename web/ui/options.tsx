import { For, type JSX, Show } from "solid-js";
import type { Listbox } from "./listbox.ts";

interface OptionsProps<T> {
  list: Listbox<T>;
  label: string;
  class?: string;
  ref?(element: HTMLElement): void;
  children(item: T): JSX.Element;
}

/** The list of a field, while it is open. */
export function Options<T>(props: OptionsProps<T>) {
  return (
    <Show when={props.list.isShown()}>
      <div
        ref={props.ref}
        id={props.list.id}
        class={props.class}
        role="listbox"
        aria-label={props.label}
        onMouseDown={keepFocus}
      >
        <For each={props.list.items()}>
          {(item, index) => (
            <Option list={props.list} at={index()}>
              {props.children(item)}
            </Option>
          )}
        </For>
      </div>
    </Show>
  );
}

interface OptionProps<T> {
  list: Listbox<T>;
  at: number;
  /** Where the content has no words. */
  label?: string;
  title?: string;
  /** The list has elements of some options only, and a screen reader counts all. */
  isOneOfMany?: boolean;
  children: JSX.Element;
}

export function Option<T>(props: OptionProps<T>) {
  const { list } = props;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
    <div
      id={list.optionId(props.at)}
      role="option"
      aria-selected={props.at === list.at()}
      aria-label={props.label}
      aria-posinset={props.isOneOfMany ? props.at + 1 : undefined}
      aria-setsize={props.isOneOfMany ? list.items().length : undefined}
      title={props.title}
      onPointerMove={() => list.setAt(props.at)}
      onClick={() => list.choose(props.at)}
    >
      {props.children}
    </div>
  );
}

/** A press on the list leaves the focus in the field. */
export function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}
