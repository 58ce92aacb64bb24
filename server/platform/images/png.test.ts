import sharp from "sharp";
import { expect, test } from "vitest";
import { encodeShape } from "./png.ts";

test("a shape is written in its colour, on a ground of another, with smooth edges", async () => {
  const png = encodeShape(Float32Array.from([0, 1, 0.5, 1.0001]), 2, [255, 255, 255], [0, 100, 200]);
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 2, height: 2, channels: 3 });
  const pixels = [0, 1, 2, 3].map((index) => [...data.subarray(3 * index, 3 * index + 3)]);
  expect(pixels[0]).toEqual([0, 100, 200]);
  expect(pixels[1]).toEqual([255, 255, 255]);
  expect(pixels[2]?.[0]).toBeGreaterThan(110);
  expect(pixels[2]?.[0]).toBeLessThan(150);
  expect(pixels[3]).toEqual([255, 255, 255]);
});
