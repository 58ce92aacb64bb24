import { For, Show } from "solid-js";
import { Icon, type IconName } from "./icon.tsx";
import { keyText } from "./modifier.ts";
import { Popover } from "./popover.tsx";

export interface MenuItem {
  label: string;
  icon: IconName;
  /** The key that does the same. */
  shortcut?: string;
  isDangerous?: boolean;
  /** One of a set of which one is chosen: whether it is this one. */
  isChosen?: boolean;
  /** A line stands above it. */
  startsGroup?: boolean;
  run(): void;
}

/** A list of actions: arrows and first letters go through it, Enter runs the one with the focus. */
export function Menu(props: { label: string; anchor: Element; items: readonly MenuItem[]; onClose(): void }) {
  const buttons = (from: Element) => [
    ...(from.closest("[role=menu]")?.querySelectorAll<HTMLElement>("button") ?? []),
  ];

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Tab") {
      props.onClose();
      return;
    }
    const all = buttons(event.target as Element);
    const at = all.indexOf(event.target as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) all.at(to === all.length ? 0 : to)?.focus();
    else if (event.key.length === 1 && event.key !== " ") {
      const letter = event.key.toLowerCase();
      const rest = [...all.slice(at + 1), ...all.slice(0, at)];
      rest.find((one) => one.textContent?.trim().toLowerCase().startsWith(letter))?.focus();
    } else return;
    event.preventDefault();
  }

  const choose = (item: MenuItem) => {
    props.onClose();
    item.run();
  };
  return (
    <Popover
      anchor={props.anchor}
      class="menu"
      role="menu"
      label={props.label}
      onClose={() => props.onClose()}
      onKeyDown={onKeyDown}
    >
      <For each={props.items}>
        {(item, index) => (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the role that has it is given with it.
          <button
            type="button"
            role={item.isChosen === undefined ? "menuitem" : "menuitemradio"}
            aria-checked={item.isChosen}
            tabindex={index() === 0 ? 0 : -1}
            classList={{ dangerous: item.isDangerous ?? false, group: item.startsGroup ?? false }}
            data-autofocus={index() === 0 ? "" : undefined}
            onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
            onClick={() => choose(item)}
          >
            <Icon name={item.isChosen === true ? "check" : item.icon} />
            <span>{item.label}</span>
            <Show when={item.shortcut}>
              {(key) => (
                <span class="shortcut" aria-hidden="true">
                  {keyText(key())}
                </span>
              )}
            </Show>
          </button>
        )}
      </For>
    </Popover>
  );
}
