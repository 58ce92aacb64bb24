import { autoUpdate, computePosition, flip, offset, shift } from "@floating-ui/dom";
import { type JSX, onCleanup, onMount } from "solid-js";
import { isPhone } from "../shared/page/screen.ts";
import { isComposing } from "./is-composing.ts";
import { messageAround, type Sides, sideFor, sidesOf } from "./menu-place.ts";

export interface PopoverProps {
  anchor: Element;
  class: string;
  role: "menu" | "dialog";
  label: string;
  onClose(): void;
  onKeyDown?(event: KeyboardEvent): void;
  children: JSX.Element;
}

/**
 * A sheet beside its anchor, or at the bottom of a phone's screen. The browser closes it on Escape and on a
 * press elsewhere, and gives the focus back.
 */
export function Popover(props: PopoverProps) {
  let element: HTMLDivElement | undefined;
  let stop = () => {};
  let lastRect = props.anchor.getBoundingClientRect();
  const message = props.role === "menu" ? messageAround(props.anchor) : undefined;
  let sides: Sides | undefined;
  // A row's buttons go when the pointer leaves the row for the sheet, which then stays where it is.
  const anchor = {
    contextElement: props.anchor,
    getBoundingClientRect() {
      if (props.anchor.isConnected) lastRect = props.anchor.getBoundingClientRect();
      return lastRect;
    },
  };
  onMount(() => {
    if (!element) return;
    element.showPopover();
    if (!isPhone()) stop = autoUpdate(anchor, element, place);
    element.querySelector<HTMLElement>("[data-autofocus]")?.focus();
  });
  onCleanup(() => stop());

  async function place(): Promise<void> {
    if (!element) return;
    element.style.maxHeight = "";
    if (message?.isConnected) sides = sidesOf(message);
    const side = sides && sideFor(sides, element.offsetHeight);
    const { x, y } = await computePosition(anchor, element, {
      placement: "bottom-end",
      strategy: "fixed",
      middleware: [offset(4), flip(), shift({ padding: 8, crossAxis: true })],
    });
    if (side) element.style.maxHeight = `${side.maxHeight}px`;
    element.style.translate = `${Math.round(x)}px ${Math.round(side?.y ?? y)}px`;
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it always has one of the two roles.
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both of them have names.
    <div
      ref={(one) => {
        element = one;
      }}
      class={`popover ${props.class}`}
      popover="auto"
      role={props.role}
      aria-label={props.label}
      tabindex={-1}
      on:toggle={(event: ToggleEvent) => event.newState === "closed" && props.onClose()}
      onKeyDown={(event) => {
        if (isComposing(event)) return;
        if (event.key === "Escape") {
          event.preventDefault();
          element?.hidePopover();
        } else props.onKeyDown?.(event);
      }}
    >
      {props.children}
    </div>
  );
}
