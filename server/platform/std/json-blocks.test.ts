import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { Random } from "../../../test/harness/random.ts";
import { gzipOf } from "./deflate.ts";
import { BLOCK_SIZE, JsonBlocks } from "./json-blocks.ts";

const random = new Random(20261128);
const COUNT = 2 * BLOCK_SIZE + 40;

interface Value {
  text: string;
}

const makeValue = (): Value => ({ text: `é${"x".repeat(random.upTo(300))}${random.upTo(1000)}` });

/** Counts the values that are written. */
class Writer {
  count = 0;
  readonly write = (value: Value): string => {
    this.count++;
    return JSON.stringify(value);
  };
}

test("lists with any of the values are what they are without blocks, after any changes", async () => {
  let values = Array.from({ length: COUNT }, makeValue);
  let blocks = JsonBlocks.of(values, JSON.stringify);
  for (let step = 0; step < 100; step++) {
    values = [...values];
    for (let changes = random.upTo(4); changes > 0; changes--) {
      values[random.upTo(values.length)] = makeValue();
    }
    if (random.upTo(3) === 0) values.push(makeValue());
    if (random.upTo(5) === 0) values.splice(random.upTo(values.length), 1);
    blocks = JsonBlocks.of(values, JSON.stringify, blocks);
    const share = random.pick([0, 1, 5, 9, 10]);
    const isListed = values.map(() => random.upTo(10) < share);
    const other = { index: random.upTo(values.length), json: JSON.stringify(makeValue()) };
    const changed = random.upTo(2) === 0;
    const list = blocks.listOf((place) => isListed[place] as boolean, changed ? other : undefined);
    const texts = values.map((value, place) =>
      changed && place === other.index ? other.json : JSON.stringify(value),
    );
    const expected = `[${texts.filter((_, place) => isListed[place])}]`;
    expect(list.text === expected).toBe(true);
    expect(list.length).toBe(Buffer.byteLength(expected));
    expect(Buffer.concat(list.pieces).toString() === expected).toBe(true);
    const packed = Buffer.concat(gzipOf(await list.parts(), list.pieces));
    expect(gunzipSync(packed).toString() === expected).toBe(true);
    const place = random.upTo(values.length);
    expect(JSON.parse(blocks.at(place).toString())).toEqual(values[place]);
  }
});

test("a change of one value writes that value alone, and shares the other blocks", () => {
  const values = Array.from({ length: COUNT }, makeValue);
  const first = new Writer();
  const blocks = JsonBlocks.of(values, first.write);
  expect(first.count).toBe(COUNT);
  const changed = values.with(BLOCK_SIZE + 3, makeValue());
  const second = new Writer();
  const next = JsonBlocks.of(changed, second.write, blocks);
  expect(second.count).toBe(1);
  const isShared = (place: number) => blocks.at(place).buffer === next.at(place).buffer;
  expect([0, BLOCK_SIZE, 2 * BLOCK_SIZE].map(isShared)).toEqual([true, false, true]);
});

test("whole blocks are compressed once for all lists, and after a change but for the block of it", async () => {
  const values = Array.from({ length: COUNT }, makeValue);
  const blocks = JsonBlocks.of(values, JSON.stringify);
  const parts = await blocks.listOf(() => true).parts();
  const again = await blocks.listOf((place) => place !== COUNT - 1).parts();
  const next = JsonBlocks.of(values.with(BLOCK_SIZE + 3, makeValue()), JSON.stringify, blocks);
  const changed = await next.listOf(() => true).parts();
  const isShared = (list: readonly Buffer[]) => parts.slice(1, -1).map((part) => list.includes(part));
  expect(isShared(again)).toEqual([true, true, false]);
  expect(isShared(changed)).toEqual([true, false, true]);
});

test("a list that is made in turns is the same list", async () => {
  const values = Array.from({ length: COUNT }, makeValue);
  const blocks = await JsonBlocks.inTurns(values, JSON.stringify);
  expect(blocks.listOf(() => true).text).toBe(JSON.stringify(values));
  const writer = new Writer();
  JsonBlocks.of(values, writer.write, blocks);
  expect(writer.count).toBe(0);
});

test("a list of nothing is empty", () => {
  expect(JsonBlocks.of<Value>([], JSON.stringify).listOf(() => true).text).toBe("[]");
  expect(JsonBlocks.of([makeValue()], JSON.stringify).listOf(() => false).text).toBe("[]");
});
