import { createMemo, createSignal, createUniqueId, For, Show } from "solid-js";
import { t } from "../../i18n/t.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Icon } from "../../ui/icon.tsx";
import { isComposing } from "../../ui/is-composing.ts";
import { Keyed } from "../../ui/keyed.tsx";
import { state } from "../state/state.ts";
import { isSamePicked, type Picked, pickedName } from "./picked.ts";

interface PickProps {
  label: string;
  hint?: string | undefined;
  problem?: string | undefined;
  /** In the field while nothing is chosen. */
  placeholder?: string | undefined;
  chosen: readonly Picked[];
  find(text: string): readonly Picked[];
  onChange(chosen: readonly Picked[]): void;
}

/** What is chosen, one chip each, and a field that finds more. Backspace takes the last one away. */
export function PickField(props: PickProps) {
  let field: HTMLInputElement | undefined;
  const id = createUniqueId();
  const [text, setText] = createSignal("");
  const [isOpen, setOpen] = createSignal(false);
  const [at, setAt] = createSignal(0);
  const found = createMemo(() => {
    if (!isOpen()) return [];
    return props.find(text()).filter((one) => !props.chosen.some((each) => isSamePicked(one, each)));
  });
  const notes = () =>
    [props.hint && `${id}-hint`, props.problem && `${id}-problem`].filter(Boolean).join(" ") || undefined;
  const close = () => {
    setOpen(false);
    setAt(0);
  };
  const add = (one: Picked) => {
    setText("");
    close();
    props.onChange([...props.chosen, one]);
    field?.focus();
  };
  const remove = (one: Picked) => {
    props.onChange(props.chosen.filter((each) => !isSamePicked(one, each)));
    field?.focus();
  };

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const [chosen, count, last] = [found()[at()], found().length, props.chosen.at(-1)];
    if (event.key === "ArrowDown" && count === 0) setOpen(true);
    else if (event.key === "ArrowDown") setAt((at() + 1) % count);
    else if (event.key === "ArrowUp" && count > 0) setAt((at() + count - 1) % count);
    else if (event.key === "Enter" && chosen) add(chosen);
    else if (event.key === "Enter" && text() !== "") setOpen(true);
    else if (event.key === "Escape" && isOpen()) close();
    else if (event.key === "Backspace" && text() === "" && last) remove(last);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div class="field pick-field">
      <label for={id}>{props.label}</label>
      <div class="pick-box">
        <Keyed each={props.chosen} by={({ kind, id }) => `${kind} ${id}`}>
          {(one) => (
            <span class="chip">
              <Sign one={one()} />
              <bdi>{pickedName(one())}</bdi>
              <button
                type="button"
                aria-label={t("people.remove", { name: pickedName(one()) })}
                onClick={() => remove(one())}
              >
                <Icon name="close" />
              </button>
            </span>
          )}
        </Keyed>
        <input
          ref={(one) => {
            field = one;
          }}
          id={id}
          role="combobox"
          aria-expanded={found().length > 0}
          aria-controls={`${id}-found`}
          aria-activedescendant={found().length > 0 ? `${id}-${at()}` : undefined}
          aria-describedby={notes()}
          aria-invalid={props.problem !== undefined}
          placeholder={props.chosen.length === 0 ? props.placeholder : undefined}
          autocomplete="off"
          dir="auto"
          value={text()}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
            setOpen(true);
          }}
          onClick={() => setOpen(true)}
          onBlur={close}
          onKeyDown={onKeyDown}
        />
        <Show when={found().length > 0}>
          <div
            ref={(list) => {
              // It may open below the end of the screen.
              queueMicrotask(() => list.scrollIntoView({ block: "nearest" }));
            }}
            id={`${id}-found`}
            class="pick-found"
            role="listbox"
            aria-label={props.label}
          >
            <For each={found()}>
              {(one, index) => (
                // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
                <div
                  id={`${id}-${index()}`}
                  role="option"
                  aria-selected={index() === at()}
                  onPointerMove={() => setAt(index())}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => add(one)}
                >
                  <Sign one={one} />
                  <bdi>{pickedName(one)}</bdi>
                </div>
              )}
            </For>
          </div>
        </Show>
      </div>
      <Show when={props.hint}>
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      </Show>
      <Show when={props.problem}>
        <p class="problem" id={`${id}-problem`} role="alert">
          {props.problem}
        </p>
      </Show>
    </div>
  );
}

function Sign(props: { one: Picked }) {
  const { kind, id } = props.one;
  if (kind === "person") return <Avatar user={state.model.users.get(id)} />;
  return <Icon name={kind === "group" ? "people" : "hash"} />;
}
