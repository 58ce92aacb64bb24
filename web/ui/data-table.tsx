/** A table that people look through: filtered by a text, sorted by a heading, and with bulk actions. */
import { type Accessor, createMemo, createSignal, For, type JSX, Show } from "solid-js";
import { fold } from "../../client/autocomplete/fold.ts";
import { t } from "../i18n/t.ts";
import { Icon } from "./icon.tsx";
import { Keyed } from "./keyed.tsx";
import { type Selecting, SelectionBar, selectionOf } from "./table-selection.tsx";

export interface Column<T> {
  id: string;
  label: string;
  /** Without it, rows are not sorted by the column. */
  compare?(a: T, b: T): number;
  /** Whether the first press on its heading puts the greatest first, such as the newest. */
  isGreatestFirst?: boolean;
  draw(row: Accessor<T>): JSX.Element;
}

interface TableProps<T> {
  /** What is in the table, for screen readers. */
  label: string;
  rows: readonly T[];
  by(row: T): string | number;
  /** By which the filter finds a row. */
  textOf(row: T): string;
  /** The first one names the row. On a phone it is the only one, so it says there what the others say. */
  columns: readonly Column<T>[];
  /** The buttons at the end of a row. */
  actions?(row: Accessor<T>): JSX.Element;
  /** Bulk actions. Without it, nothing can be selected. */
  selecting?: Selecting<T> | undefined;
  /** Instead of the table while there is nothing at all. */
  empty: string;
}

/** So many rows at first, and with each press of the button below: elements of thousands take seconds. */
const ROWS = 100;

export function DataTable<T>(props: TableProps<T>) {
  const [text, setText] = createSignal("");
  const [limit, setLimit] = createSignal(ROWS);
  const [order, setOrder] = createSignal<Order>({ by: props.columns[0]?.id, isReversed: false });
  const found = createMemo(() => {
    const wanted = fold(text().trim());
    const rows = props.rows.filter((row) => wanted === "" || fold(props.textOf(row)).includes(wanted));
    const column = props.columns.find(({ id }) => id === order().by);
    if (!column?.compare) return rows;
    const { compare } = column;
    const sign = isDescending(column, order()) ? -1 : 1;
    return rows.sort((a, b) => sign * compare(a, b));
  });
  const selection = selectionOf(props, found);
  const rest = () => Math.max(0, found().length - limit());
  const sort = (by: string) => {
    setOrder((before) => ({ by, isReversed: before.by === by && !before.isReversed }));
    setLimit(ROWS);
  };
  return (
    <div class="filtered-list data-table">
      <input
        type="search"
        aria-label={`${t("list.filter")}: ${props.label}`}
        placeholder={t("list.filter")}
        autocomplete="off"
        onInput={(event) => {
          setText(event.currentTarget.value);
          setLimit(ROWS);
        }}
      />
      <SelectionBar selection={selection} />
      <Show
        when={found().length > 0}
        fallback={<p class="nothing">{text() === "" ? props.empty : t("list.none")}</p>}
      >
        <table aria-label={props.label}>
          <thead>
            <tr>
              <Show when={props.selecting}>
                <th class="select" scope="col">
                  {selection.all()}
                </th>
              </Show>
              <For each={props.columns}>
                {(column) => <Heading column={column} order={order()} onSort={sort} />}
              </For>
              <Show when={props.actions}>
                <th class="actions" scope="col">
                  <span class="sr">{t("table.actions")}</span>
                </th>
              </Show>
            </tr>
          </thead>
          <tbody>
            <Keyed each={found().slice(0, limit())} by={(row) => props.by(row)}>
              {(row) => <Row row={row} table={props} select={() => selection.one(row)} />}
            </Keyed>
          </tbody>
        </table>
      </Show>
      <Show when={rest() > 0}>
        <p class="note">
          <button type="button" class="quiet" onClick={() => setLimit(limit() + ROWS)}>
            {t("table.more", { count: rest() })}
          </button>
        </p>
      </Show>
    </div>
  );
}

function Row<T>(props: { row: Accessor<T>; table: TableProps<T>; select(): JSX.Element }) {
  const { table } = props;
  return (
    <tr>
      <Show when={table.selecting}>
        <td class="select">{props.select()}</td>
      </Show>
      <For each={table.columns}>
        {(column, index) =>
          index() === 0 ? (
            <th class="first" scope="row">
              {column.draw(props.row)}
            </th>
          ) : (
            <td data-column={column.id}>{column.draw(props.row)}</td>
          )
        }
      </For>
      <Show when={table.actions}>{(actions) => <td class="actions">{actions()(props.row)}</td>}</Show>
    </tr>
  );
}

interface Order {
  by: string | undefined;
  isReversed: boolean;
}

function isDescending<T>({ isGreatestFirst = false }: Column<T>, { isReversed }: Order): boolean {
  return isGreatestFirst !== isReversed;
}

interface HeadingProps<T> {
  column: Column<T>;
  order: Order;
  onSort(by: string): void;
}

/** A press sorts by the column, and a second one the other way round. */
function Heading<T>(props: HeadingProps<T>) {
  const isSorted = () => props.order.by === props.column.id && props.column.compare !== undefined;
  const direction = () => (isDescending(props.column, props.order) ? "descending" : "ascending");
  return (
    <th scope="col" data-column={props.column.id} aria-sort={isSorted() ? direction() : undefined}>
      <Show when={props.column.compare} fallback={props.column.label}>
        <button type="button" onClick={() => props.onSort(props.column.id)}>
          {props.column.label}
          <Show when={isSorted()}>
            <Icon name={direction() === "descending" ? "down" : "up"} />
          </Show>
        </button>
      </Show>
    </th>
  );
}
