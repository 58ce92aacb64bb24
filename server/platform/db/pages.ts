/** How many rows of a long list are read at a time. */
export const PAGE_ROWS = 2000;

/**
 * Reads a long list by pages, so that no turn of the event loop handles all of it. `read` gets the last row
 * of the page before, and returns the next rows in order, at most `PAGE_ROWS`.
 */
export async function* pagesOf<Row>(
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let page = await read(undefined);
  while (page.length > 0) {
    yield page;
    if (page.length < PAGE_ROWS) return;
    page = await read(page.at(-1));
  }
}
