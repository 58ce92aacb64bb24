import { createSignal } from "solid-js";
import { isPhone } from "../page/screen.ts";

/** The actions of a line are made when the pointer or the focus comes to it. Fingers have them always. */
export function createLine() {
  const [isNear, setNear] = createSignal(isPhone());
  const come = () => setNear(true);
  return { isNear, handlers: { onPointerEnter: come, onFocusIn: come } };
}
