import type icons from "./icons.json";

export type IconName = keyof typeof icons;

/** These point along a line of text, so they are turned where that runs from right to left. */
const turned: ReadonlySet<IconName> = new Set([
  "back",
  "forward",
  "move",
  "next",
  "reply",
  "send",
  "signOut",
]);

/** An outline of the sprite in the page. It says nothing to a screen reader: its button has the name. */
export function Icon(props: { name: IconName }) {
  return (
    <svg class="icon" classList={{ turned: turned.has(props.name) }} aria-hidden="true">
      <use href={`#icon-${props.name}`} />
    </svg>
  );
}
