import { Show } from "solid-js";

/** What went wrong, where it was caused. Screen readers say it at once. */
export function Problem(props: { text: string | undefined }) {
  return (
    <Show when={props.text}>
      <p class="problem" role="alert">
        {props.text}
      </p>
    </Show>
  );
}
