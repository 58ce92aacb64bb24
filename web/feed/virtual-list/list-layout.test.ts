import { expect, test } from "vitest";
import { ListLayout } from "./list-layout.ts";

interface Row {
  key: string;
}

const VIEW = 500;
const rowsFrom = (first: number, count: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ key: String(first + at) }));

/** A hundred rows of 50 pixels, at the end. */
function openAtEnd() {
  const layout = new ListLayout<Row>();
  const rows = rowsFrom(100, 100);
  layout.setRows(rows);
  layout.setViewport(VIEW, 0);
  for (const row of rows) layout.setHeight(row, 50);
  layout.goTo({ kind: "end" });
  expect(layout.position()).toBe(4500);
  return { layout, rows };
}

/** Where a row is on the screen. */
const onScreen = (layout: ListLayout<Row>, row: Row | undefined) =>
  layout.origin + layout.heights.offsetOf(layout.rows.indexOf(row as Row)) - layout.scrollTop;

test("only rows near the view are wanted", () => {
  const { layout } = openAtEnd();
  expect(layout.range(0)).toEqual([90, 99]);
  expect(layout.range(100)).toEqual([88, 99]);
  expect(new ListLayout<Row>().range(100)).toEqual([0, -1]);
});

test("a list at its end stays there, whatever is added or grows", () => {
  const { layout, rows } = openAtEnd();
  const added = { key: "added" };
  layout.setRows([...rows, added]);
  layout.setHeight(added, 80);
  expect(layout.position()).toBe(4580);
  layout.setHeight(rows[95] as Row, 78);
  expect(layout.position()).toBe(4608);
  expect(layout.below).toBe(0);
});

test("rows that are measured above the view change no scroll offset of a list at its end", () => {
  const { layout, rows } = openAtEnd();
  const before = onScreen(layout, rows[99]);
  layout.setHeight(rows[30] as Row, 20);
  expect(layout.position()).toBe(undefined);
  expect(onScreen(layout, rows[99])).toBe(before);
  expect(layout.position(true)).toBe(4470);
  expect(onScreen(layout, rows[99])).toBe(before);
});

test("what is added to a list whose rows were just measured scrolls them, and moves none in the scroller", () => {
  const { layout, rows } = openAtEnd();
  layout.setHeight(rows[30] as Row, 20);
  expect(layout.position()).toBe(undefined);
  const inScroller = () => layout.origin + layout.heights.offsetOf(99);
  const before = inScroller();
  layout.setRows([...rows, { key: "added" }]);
  layout.setHeight(layout.rows[100] as Row, 80);
  expect(layout.position()).toBe(4580);
  expect(inScroller()).toBe(before);
  expect(layout.below).toBe(0);
  expect(layout.isOff).toBe(true);
  expect(layout.position(true)).toBe(4550);
  expect(layout.isOff).toBe(false);
});

test("a row that the reader has opened is not scrolled away, although the list was at its end", () => {
  const { layout, rows } = openAtEnd();
  const before = onScreen(layout, rows[98]);
  layout.setHeight(rows[98] as Row, 900);
  expect(layout.position()).toBe(undefined);
  expect(layout.position(true)).toBe(undefined);
  expect(onScreen(layout, rows[98])).toBe(before);
});

test("the row at the top stays, whatever comes above or is measured there, and so does the scroll offset", () => {
  const { layout, rows } = openAtEnd();
  expect(layout.scroll(2020)).toBe(true);
  expect(layout.position()).toBe(undefined);
  layout.endScroll();
  expect(layout.rowAtTop).toEqual({ row: rows[40], offset: 20 });
  const older = rowsFrom(0, 100);
  layout.setRows([...older, ...rows]);
  layout.setHeight(older[99] as Row, 90);
  layout.setHeight(rows[30] as Row, 170);
  expect(layout.position()).toBe(undefined);
  expect(layout.isOff).toBe(true);
  expect(layout.scrollTop).toBe(2020);
  expect(onScreen(layout, rows[40])).toBe(-20);
  layout.scroll(1980);
  expect(layout.position()).toBe(undefined);
  expect(onScreen(layout, rows[40])).toBe(20);
});

test("a scroll that is noticed after rows have come above is one of the rows that were there", () => {
  const { layout, rows } = openAtEnd();
  layout.scroll(2020);
  layout.position();
  layout.setRows([...rowsFrom(0, 100), ...rows]);
  layout.scroll(2000);
  layout.position();
  expect(onScreen(layout, rows[40])).toBe(0);
});

test("what has come above is made good in a frame without a scroll", () => {
  const { layout, rows } = openAtEnd();
  layout.scroll(2020);
  layout.setRows([...rowsFrom(0, 100), ...rows]);
  expect(layout.position()).toBe(undefined);
  expect(layout.position(true)).toBe(7020);
  expect(layout.isOff).toBe(false);
  expect(onScreen(layout, rows[40])).toBe(-20);
});

test("a reader who comes near the top needs the rows that have come above it", () => {
  const { layout, rows } = openAtEnd();
  layout.scroll(900);
  layout.setRows([...rowsFrom(0, 100), ...rows]);
  layout.position();
  layout.scroll(200);
  layout.position();
  expect(layout.above).toBe(200);
  expect(layout.position(true)).toBe(5200);
  expect(layout.above).toBe(5200);
});

test("rows of fractions of a pixel stay where they are, although browsers round scroll offsets", () => {
  const { layout, rows } = openAtEnd();
  layout.scroll(2020);
  layout.position();
  layout.setHeight(rows[3] as Row, 70.4);
  expect(layout.position(true)).toBe(2040);
  expect(onScreen(layout, rows[40])).toBeCloseTo(-20);
});

test("a turn of the wheel wins against a message that arrives before it scrolls", () => {
  const { layout, rows } = openAtEnd();
  layout.startScroll();
  const added = { key: "added" };
  layout.setRows([...rows, added]);
  layout.setHeight(added, 50);
  expect(layout.position()).toBe(undefined);
  layout.scroll(4400);
  expect(layout.position()).toBe(undefined);
  layout.endScroll();
  expect(layout.position()).toBe(undefined);
  expect(layout.scrollTop).toBe(4400);
});

test("a wheel that scrolls something else does not take the list from its end", () => {
  const { layout, rows } = openAtEnd();
  layout.startScroll();
  layout.setRows([...rows, { key: "added" }]);
  layout.position();
  layout.endScroll();
  expect(layout.position()).toBe(4550);
});

test("who has scrolled to the very end follows what is added from then on", () => {
  const { layout, rows } = openAtEnd();
  layout.scroll(4000);
  layout.followEnd();
  layout.endScroll();
  layout.setRows([...rows, { key: "one" }]);
  expect(layout.position()).toBe(undefined);
  layout.scroll(4550);
  layout.followEnd();
  layout.setRows([...rows, { key: "one" }, { key: "two" }]);
  expect(layout.position()).toBe(undefined);
  layout.endScroll();
  expect(layout.position()).toBe(4600);
});

test("an event of the scroller after it was written is not the reader's", () => {
  const { layout } = openAtEnd();
  expect(layout.scroll(4499.6)).toBe(false);
  expect(layout.scroll(4480)).toBe(true);
});

test("a row that was asked for stays at its place while rows around it are measured", () => {
  const layout = new ListLayout<Row>();
  const rows = rowsFrom(0, 100);
  layout.setRows(rows);
  layout.setViewport(VIEW, 0);
  layout.goTo({ kind: "top", row: rows[60] as Row, offset: -125 });
  for (const row of rows.slice(55, 75)) layout.setHeight(row, 70);
  layout.position();
  expect(onScreen(layout, rows[60])).toBe(125);
  for (const row of rows.slice(0, 55)) layout.setHeight(row, 33);
  layout.position();
  expect(onScreen(layout, rows[60])).toBe(125);
  layout.goTo({ kind: "bottom", row: rows[80] as Row });
  layout.position();
  expect(onScreen(layout, rows[81])).toBe(VIEW);
});

test("rows that come above a list that was too short for the wanted place move nothing", () => {
  const layout = new ListLayout<Row>();
  const rows = rowsFrom(100, 50);
  layout.setRows(rows);
  layout.setViewport(VIEW, 0);
  for (const row of rows) layout.setHeight(row, 50);
  layout.goTo({ kind: "top", row: rows[1] as Row, offset: -125 });
  layout.position();
  expect(onScreen(layout, rows[0])).toBe(0);
  layout.setRows([...rowsFrom(0, 100), ...rows]);
  layout.position();
  expect(onScreen(layout, rows[0])).toBe(0);
});

test("when the row at the top goes, the next one stays where it was", () => {
  const { layout, rows } = openAtEnd();
  layout.scroll(2020);
  layout.endScroll();
  layout.position();
  const kept = onScreen(layout, rows[41]);
  layout.setRows(rows.filter((row) => row !== rows[40]));
  layout.position();
  expect(onScreen(layout, rows[41])).toBe(kept);
  layout.setRows(rows.slice(0, 30));
  layout.position();
  expect(onScreen(layout, rows[29])).toBe(450);
});

test("rows of another width are guessed again, and the one at the top stays there", () => {
  const { layout, rows } = openAtEnd();
  layout.scroll(2000);
  layout.endScroll();
  layout.position();
  layout.forgetHeights();
  for (const row of rows.slice(38, 60)) layout.setHeight(row, 100);
  layout.position();
  expect(onScreen(layout, rows[40])).toBe(0);
});

test("a list that was left is laid out as it was", () => {
  const { layout, rows } = openAtEnd();
  const again = new ListLayout<Row>(layout.heights.known);
  again.setRows(rows);
  again.setViewport(VIEW, 0);
  again.goTo({ kind: "end" });
  expect(again.position()).toBe(4500);
});

test("a list that was not displayed for a while is where it was", () => {
  const { layout, rows } = openAtEnd();
  layout.scroll(2020);
  layout.endScroll();
  layout.position();
  layout.setViewport(0, 0);
  layout.setViewport(VIEW, 0);
  expect(layout.position()).toBe(undefined);
  expect(onScreen(layout, rows[40])).toBe(-20);
  expect(layout.position(true)).toBe(2020);
});

test("a scroll in the moment in which the view gets another height counts", () => {
  const { layout, rows } = openAtEnd();
  layout.scroll(2020);
  layout.endScroll();
  layout.position();
  layout.setViewport(VIEW - 200, 1980);
  expect(layout.scroll(1980)).toBe(true);
  layout.position();
  expect(onScreen(layout, rows[40])).toBe(20);
});
