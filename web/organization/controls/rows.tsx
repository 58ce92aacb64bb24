/** Pieces of the lists in this region. */
import { type JSX, Show } from "solid-js";
import type { User } from "../../../client/model/users.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";

/** What a row is about: its name, and a second line in grey. */
export function RowText(props: { name: JSX.Element; about?: JSX.Element }) {
  return (
    <div class="row-text">
      <span class="row-name">{props.name}</span>
      <Show when={props.about}>
        <span class="row-about">{props.about}</span>
      </Show>
    </div>
  );
}

/** The name of a table's row. On a phone `about` stands below it, in the place of the other columns. */
export function TableName(props: { user?: User | undefined; about: string; children: JSX.Element }) {
  return (
    <div class="table-name">
      <Show when={props.user !== undefined}>
        <Avatar user={props.user} />
      </Show>
      <RowText name={props.children} about={props.about} />
    </div>
  );
}

export function RowButton(props: {
  icon: IconName;
  label: string;
  disabled?: boolean;
  run(button: HTMLButtonElement): void;
}) {
  return (
    <button
      type="button"
      class="square"
      aria-label={props.label}
      title={props.label}
      disabled={props.disabled}
      onClick={(event) => props.run(event.currentTarget)}
    >
      <Icon name={props.icon} />
    </button>
  );
}

/** The button that begins something new, above a list. */
export function AddButton(props: { label: string; run(): void }) {
  return (
    <p class="section-actions">
      <button type="button" class="button primary" onClick={() => props.run()}>
        {props.label}
      </button>
    </p>
  );
}
