/** How wide the list is. It must be known at the first paint; the edge that changes it comes later. */
import { type Accessor, createEffect } from "solid-js";
import { keptChoice } from "../shared/state/kept.ts";

export const MIN_PX = 208;
export const MAX_PX = 360;
export const USUAL_PX = 264;

export const bounded = (px: number) => Math.round(Math.max(MIN_PX, Math.min(MAX_PX, px)));

export interface ListWidth {
  value: Accessor<number>;
  keep(px: number): void;
}

/** What this browser keeps for the account, as it is on the screen. */
export function useListWidth(): ListWidth {
  const width = keptChoice("sidebar-width", (stored) =>
    typeof stored === "number" ? bounded(stored) : USUAL_PX,
  );
  createEffect(() => document.documentElement.style.setProperty("--sidebar", `${width.value()}px`));
  return width;
}
