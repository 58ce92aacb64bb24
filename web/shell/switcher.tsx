import { createMemo, createSignal, For, onMount, Show } from "solid-js";
import { go } from "../app/route.ts";
import { t } from "../i18n/t.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { findPlaces } from "./switcher-places.ts";

/** A field and the places that fit it. The arrows choose, Enter goes there. */
export function Switcher(props: { onClose(): void }) {
  let field: HTMLInputElement | undefined;
  const [text, setText] = createSignal("");
  const [at, setAt] = createSignal(0);
  const found = createMemo(() => findPlaces(text()));
  onMount(() => field?.focus());
  const open = (link: string | undefined) => {
    if (link === undefined) return;
    props.onClose();
    go(link);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setAt(Math.max(0, Math.min(found().length - 1, at() + step)));
    else if (event.key === "Enter") open(found()[at()]?.link);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label={t("header.switcher")} class="switcher" onClose={props.onClose}>
      <input
        ref={(one) => {
          field = one;
        }}
        role="combobox"
        aria-expanded="true"
        aria-controls="switcher-places"
        aria-activedescendant={found().length > 0 ? `switcher-${at()}` : undefined}
        aria-label={t("switcher.label")}
        placeholder={t("switcher.label")}
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
                onClick={() => open(place.link)}
              >
                <Icon name={place.icon} />
                <bdi>{place.name}</bdi>
              </div>
            )}
          </For>
        </div>
      </Show>
    </Dialog>
  );
}
