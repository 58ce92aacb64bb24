/** A list of what administrators add, change and remove, and the button that adds. */
import { For, type JSX, Show } from "solid-js";
import { t } from "../../i18n/t.ts";
import { Problem } from "../../ui/problem.tsx";
import { AddButton, RowButton, RowText } from "./rows.tsx";

interface ItemListProps<T> {
  about: string;
  title: string;
  /** Instead of the list while there is nothing. */
  none: string;
  addLabel: string;
  add(): void;
  mayChange: boolean;
  items: readonly T[];
  row(item: T): JSX.Element;
  /** What went wrong with the last change of their order. */
  problem?: string | undefined;
  /** Above the button. */
  children?: JSX.Element;
}

export function ItemList<T>(props: ItemListProps<T>) {
  return (
    <>
      <p class="about">{props.about}</p>
      {props.children}
      <Show when={props.mayChange}>
        <AddButton label={props.addLabel} run={() => props.add()} />
      </Show>
      <Problem text={props.problem} />
      <Show when={props.items.length > 0} fallback={<p class="nothing">{props.none}</p>}>
        <ul class="plain-list" aria-label={props.title}>
          <For each={props.items}>{(item) => props.row(item)}</For>
        </ul>
      </Show>
    </>
  );
}

interface ItemRowProps {
  /** What the buttons call it. */
  name: string;
  /** How the row shows the name; as a text by default. */
  shown?: JSX.Element;
  about: JSX.Element;
  mayChange: boolean;
  edit?(): void;
  remove(): void;
  /** Buttons before the others. */
  children?: JSX.Element;
}

export function ItemRow(props: ItemRowProps) {
  return (
    <li class="list-row">
      <RowText name={props.shown ?? props.name} about={props.about} />
      <Show when={props.mayChange}>
        {props.children}
        <Show when={props.edit}>
          {(edit) => (
            <RowButton
              icon="pencil"
              label={t("organization.edit", { name: props.name })}
              run={() => edit()()}
            />
          )}
        </Show>
        <RowButton
          icon="trash"
          label={t("organization.delete", { name: props.name })}
          run={() => props.remove()}
        />
      </Show>
    </li>
  );
}
