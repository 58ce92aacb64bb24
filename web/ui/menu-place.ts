/** Where the menu of a message stands: above or below the message, and never over the message box. */

const GAP_PX = 4;
const EDGE_PX = 8;
/** A menu that has less room would be hard to use. */
const LEAST_PX = 200;

export interface Sides {
  /** The message. */
  top: number;
  bottom: number;
  /** The room of the messages. */
  from: number;
  to: number;
}

/** Undefined: the message leaves no room on either side. */
export function sideFor(sides: Sides, height: number): { y: number; maxHeight: number } | undefined {
  const below = sides.to - sides.bottom - GAP_PX - EDGE_PX;
  const above = sides.top - sides.from - GAP_PX - EDGE_PX;
  const isBelow = below >= height || (above < height && below >= above);
  const room = isBelow ? below : above;
  if (room < Math.min(height, LEAST_PX)) return undefined;
  const shown = Math.min(height, room);
  return { y: isBelow ? sides.bottom + GAP_PX : sides.top - GAP_PX - shown, maxHeight: room };
}

/** The message of the feed that an element is in. */
export function messageAround(element: Element): Element | null | undefined {
  return element.closest("article.row")?.querySelector(".message");
}

export function sidesOf(message: Element): Sides {
  const { top, bottom } = message.getBoundingClientRect();
  const box = document.querySelector(".compose")?.getBoundingClientRect();
  return { top, bottom, from: 0, to: box && box.height > 0 ? box.top : innerHeight };
}
