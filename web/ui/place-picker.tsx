import { createMemo, createSignal, For, onMount, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { go } from "../shared/routing/route.ts";
import { Dialog } from "./dialog.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { isComposing } from "./is-composing.ts";

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
  /** Of the field. */
  label: string;
  find(text: string): readonly PickedPlace[];
  onClose(): void;
}

/** A field and the places that fit it. The arrows choose, Enter goes there. */
export function PlacePicker(props: PickerProps) {
  let field: HTMLInputElement | undefined;
  const [text, setText] = createSignal("");
  const [at, setAt] = createSignal(0);
  const found = createMemo(() => props.find(text()));
  onMount(() => field?.focus());
  const open = (place: PickedPlace | undefined) => {
    if (!place) return;
    props.onClose();
    if (place.link !== undefined) go(place.link);
    place.run?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setAt(Math.max(0, Math.min(found().length - 1, at() + step)));
    else if (event.key === "Enter") open(found()[at()]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label={props.title} class="switcher" onClose={props.onClose}>
      <input
        ref={(one) => {
          field = one;
        }}
        role="combobox"
        aria-expanded="true"
        aria-controls="switcher-places"
        aria-activedescendant={found().length > 0 ? `switcher-${at()}` : undefined}
        aria-label={props.label}
        placeholder={props.label}
        autocomplete="off"
        value={text()}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Show when={found().length > 0} fallback={<p class="nothing">{t("switcher.none")}</p>}>
        <div id="switcher-places" role="listbox" aria-label={t("switcher.results")}>
          <For each={found()}>
            {(place, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
              <div
                id={`switcher-${index()}`}
                role="option"
                aria-selected={index() === at()}
                onClick={() => open(place)}
              >
                <Icon name={place.icon} />
                <bdi>{place.name}</bdi>
                <Show when={place.detail}>{(detail) => <bdi class="place-detail">{detail()}</bdi>}</Show>
              </div>
            )}
          </For>
        </div>
      </Show>
    </Dialog>
  );
}
