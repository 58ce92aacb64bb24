import type icons from "./icons.json";

export type IconName = keyof typeof icons;

/** An outline of the sprite in the page. It says nothing to a screen reader: its button has the name. */
export function Icon(props: { name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true">
      <use href={`#icon-${props.name}`} />
    </svg>
  );
}
