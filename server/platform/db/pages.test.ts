import { expect, test } from "vitest";
import { PAGE_ROWS, pagesOf } from "./pages.ts";

/** Reads numbers from 1 to `count` by pages. */
async function read(count: number) {
  const asked: (number | undefined)[] = [];
  const pages = pagesOf<number>(async (last) => {
    asked.push(last);
    const first = (last ?? 0) + 1;
    return Array.from({ length: Math.min(PAGE_ROWS, count - first + 1) }, (_, index) => first + index);
  });
  const sizes: number[] = [];
  for await (const page of pages) sizes.push(page.length);
  return { asked, sizes };
}

test.each([
  [0, [], [undefined]],
  [3, [3], [undefined]],
  [PAGE_ROWS, [PAGE_ROWS], [undefined, PAGE_ROWS]],
  [PAGE_ROWS + 1, [PAGE_ROWS, 1], [undefined, PAGE_ROWS]],
])(
  "a list of %i rows is read once, each page after the last row of the one before",
  async (count, sizes, asked) => {
    expect(await read(count)).toEqual({ sizes, asked });
  },
);
