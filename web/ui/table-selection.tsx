/** Which rows of a table are selected, and what is done with all of them. */
import { type Accessor, createEffect, createMemo, createSignal, type JSX, Show } from "solid-js";
import { t } from "../i18n/t.ts";

export interface Selecting<T> {
  /** What the checkbox calls the row. */
  nameOf(row: T): string;
  canSelect(row: T): boolean;
  /** The buttons for what is selected. `done` ends the selection. */
  draw(rows: Accessor<readonly T[]>, done: () => void): JSX.Element;
}

interface Selected<T> {
  rows: Accessor<readonly T[]>;
  draw(): JSX.Element;
  clear(): void;
  /** The checkbox of a row, and the one for all that are found. */
  one(row: Accessor<T>): JSX.Element;
  all(): JSX.Element;
}

interface Selectable<T> {
  rows: readonly T[];
  by(row: T): string | number;
  selecting?: Selecting<T> | undefined;
}

/** `found`: what the filter leaves. What was selected stays so while something else is looked for. */
export function selectionOf<T>(props: Selectable<T>, found: Accessor<readonly T[]>): Selected<T> {
  const [keys, setKeys] = createSignal<ReadonlySet<string | number>>(new Set());
  const canSelect = (row: T) => props.selecting?.canSelect(row) === true;
  const isSelected = (row: T) => keys().has(props.by(row));
  const rows = createMemo(() => props.rows.filter((row) => isSelected(row) && canSelect(row)));
  const selectable = createMemo(() => found().filter(canSelect));
  const isWhole = () => selectable().length > 0 && selectable().every(isSelected);
  const clear = () => setKeys(new Set<string | number>());
  const set = (changed: readonly T[], isOn: boolean) =>
    setKeys((before) => {
      const next = new Set(before);
      for (const row of changed) isOn ? next.add(props.by(row)) : next.delete(props.by(row));
      return next;
    });
  return {
    rows,
    clear,
    draw: () => props.selecting?.draw(rows, clear),
    // A finger presses the label around the box.
    one: (row) => (
      <label>
        <input
          type="checkbox"
          aria-label={t("table.select", { name: props.selecting?.nameOf(row()) ?? "" })}
          checked={isSelected(row()) && canSelect(row())}
          disabled={!canSelect(row())}
          onChange={(event) => set([row()], event.currentTarget.checked)}
        />
      </label>
    ),
    all: () => (
      <label>
        <input
          type="checkbox"
          aria-label={t("table.selectAll", { count: selectable().length })}
          checked={isWhole()}
          ref={(box) => createEffect(() => setMixed(box, rows().length > 0 && !isWhole()))}
          disabled={selectable().length === 0}
          onChange={(event) => set(selectable(), event.currentTarget.checked)}
        />
      </label>
    ),
  };
}

/** HTML has no attribute for it. */
function setMixed(box: HTMLInputElement, isMixed: boolean): void {
  box.indeterminate = isMixed;
}

export function SelectionBar<T>(props: { selection: Selected<T> }) {
  const count = () => props.selection.rows().length;
  return (
    <Show when={count() > 0}>
      <div class="selection-bar" role="toolbar" aria-label={t("table.bulk")}>
        <span role="status">{t("table.selected", { count: count() })}</span>
        {props.selection.draw()}
        <button type="button" class="quiet" onClick={() => props.selection.clear()}>
          {t("table.unselect")}
        </button>
      </div>
    </Show>
  );
}
