/** Moves a feed to where a key or a press wants it. */
import type { Accessor } from "solid-js";
import type { createFeedView } from "../feed-view.ts";
import type { Row } from "../rows/rows.ts";
import type { VirtualList } from "../virtual-list/virtual-list.tsx";

/** The part of the view's height that one step by page takes. */
const PAGE_PART = 0.9;

export function createFeedMoves(
  view: ReturnType<typeof createFeedView>,
  scroller: Accessor<HTMLElement | undefined>,
  list: Accessor<VirtualList<Row> | undefined>,
) {
  return {
    async toDate(date: Date) {
      const id = await view.goToDate(date);
      if (id === undefined) return;
      const { rows } = view.list();
      const found = rows.findIndex((row) => (row.id ?? Infinity) >= id);
      if (found < 0) list()?.scrollToEnd();
      else list()?.scrollToRow(found);
    },
    /** By almost a screen, so that the last line stays in sight. */
    page(direction: 1 | -1) {
      const element = scroller();
      element?.scrollBy({ top: direction * element.clientHeight * PAGE_PART });
    },
    /** The oldest message that is known. */
    toTop: () => list()?.scrollToRow(0),
    show: (index: number) => list()?.show(index, coveredIn(scroller())),
    /** The first row that is wholly in the view. */
    firstVisible() {
      const top = list()?.rowAtTop;
      return top ? view.list().rows.indexOf(top.row) + Number(top.offset > 0) : 0;
    },
  };
}

/** By the bar that lies over the rows. */
function coveredIn(scroller: HTMLElement | undefined): number {
  return scroller?.parentElement?.querySelector<HTMLElement>(".sticky-bar")?.offsetHeight ?? 0;
}
