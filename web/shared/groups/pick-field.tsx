import { createMemo, createSignal, createUniqueId } from "solid-js";
import { t } from "../../i18n/t.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Around, described } from "../../ui/fields.tsx";
import { Icon } from "../../ui/icon.tsx";
import { isComposing } from "../../ui/is-composing.ts";
import { Keyed } from "../../ui/keyed.tsx";
import { createListbox } from "../../ui/listbox.ts";
import { Options } from "../../ui/options.tsx";
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
  const found = createMemo(() => {
    if (!isOpen()) return [];
    return props.find(text()).filter((picked) => !props.chosen.some((each) => isSamePicked(picked, each)));
  });
  const list = createListbox({ items: found, onChoose: add });
  const close = () => {
    setOpen(false);
    list.setAt(0);
  };
  function add(picked: Picked): void {
    setText("");
    close();
    props.onChange([...props.chosen, picked]);
    field?.focus();
  }
  const remove = (picked: Picked) => {
    props.onChange(props.chosen.filter((each) => !isSamePicked(picked, each)));
    field?.focus();
  };

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event) || list.handleKey(event)) return;
    const last = props.chosen.at(-1);
    if (event.key === "ArrowDown") setOpen(true);
    else if (event.key === "Enter" && text() !== "") setOpen(true);
    else if (event.key === "Escape" && isOpen()) close();
    else if (event.key === "Backspace" && text() === "" && last) remove(last);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <Around {...props} id={id} class="pick-field">
      <div class="pick-box">
        <Chips chosen={props.chosen} onRemove={remove} />
        <input
          ref={(element) => {
            field = element;
            list.attach(element);
          }}
          id={id}
          aria-describedby={described(id, props)}
          aria-invalid={props.problem !== undefined}
          placeholder={props.chosen.length === 0 ? props.placeholder : undefined}
          autocomplete="off"
          dir="auto"
          value={text()}
          onInput={(event) => {
            setText(event.currentTarget.value);
            list.setAt(0);
            setOpen(true);
          }}
          onClick={() => setOpen(true)}
          onBlur={close}
          onKeyDown={onKeyDown}
        />
        <Options list={list} class="pick-found" label={props.label} ref={showAll}>
          {(picked) => (
            <>
              <Sign one={picked} />
              <bdi>{pickedName(picked)}</bdi>
            </>
          )}
        </Options>
      </div>
    </Around>
  );
}

/** The list may open below the end of the screen. */
function showAll(list: HTMLElement): void {
  queueMicrotask(() => list.scrollIntoView({ block: "nearest" }));
}

function Chips(props: { chosen: readonly Picked[]; onRemove(one: Picked): void }) {
  return (
    <Keyed each={props.chosen} by={({ kind, id }) => `${kind} ${id}`}>
      {(picked) => (
        <span class="chip">
          <Sign one={picked()} />
          <bdi>{pickedName(picked())}</bdi>
          <button
            type="button"
            aria-label={t("people.remove", { name: pickedName(picked()) })}
            onClick={() => props.onRemove(picked())}
          >
            <Icon name="close" />
          </button>
        </span>
      )}
    </Keyed>
  );
}

function Sign(props: { one: Picked }) {
  const { kind, id } = props.one;
  if (kind === "person") return <Avatar user={state.model.users.get(id)} />;
  return <Icon name={kind === "group" ? "people" : "hash"} />;
}
