import { createMemo, createSignal, onMount, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { go } from "../shared/routing/route.ts";
import { Dialog } from "./dialog.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { createListbox } from "./listbox.ts";
import { Options } from "./options.tsx";

export interface PickedPlace {
  name: string;
  /** Where it is; a command has none. */
  link?: string;
  icon: IconName;
  /** Says more about it, in a quieter way. */
  detail?: string;
  run?(): void;
}

interface PickerProps {
  title: string;
  /** The label of the field. */
  label: string;
  find(text: string): readonly PickedPlace[];
  onClose(): void;
}

/** A field and the places that fit it. The arrows choose, Enter goes there. */
export function PlacePicker(props: PickerProps) {
  let field: HTMLInputElement | undefined;
  const [text, setText] = createSignal("");
  const found = createMemo(() => props.find(text()));
  onMount(() => field?.focus());
  const open = (place: PickedPlace) => {
    props.onClose();
    if (place.link !== undefined) go(place.link);
    place.run?.();
  };
  const list = createListbox({ items: found, onChoose: open });
  return (
    <Dialog label={props.title} class="switcher" onClose={props.onClose}>
      <input
        ref={(element) => {
          field = element;
          list.attach(element);
        }}
        aria-label={props.label}
        placeholder={props.label}
        autocomplete="off"
        value={text()}
        onInput={(event) => {
          setText(event.currentTarget.value);
          list.setAt(0);
        }}
        onKeyDown={list.handleKey}
      />
      <Show when={found().length === 0}>
        <p class="nothing">{t("switcher.none")}</p>
      </Show>
      <Options list={list} label={t("switcher.results")}>
        {(place) => (
          <>
            <Icon name={place.icon} />
            <bdi>{place.name}</bdi>
            <Show when={place.detail}>{(detail) => <bdi class="place-detail">{detail()}</bdi>}</Show>
          </>
        )}
      </Options>
    </Dialog>
  );
}
