import { expect, test } from "vitest";
import { coverageOf, curve, ellipse, type Outline } from "./outline.ts";

const rectangle = (left: number, top: number, right: number, bottom: number): Outline => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];
const sum = (coverage: Float32Array) => coverage.reduce((total, part) => total + part, 0);

test("pixels count as covered as far as a shape covers them", () => {
  const coverage = coverageOf([rectangle(1, 1, 2.5, 3)], 4);
  expect([...coverage]).toEqual([0, 0, 0, 0, 0, 1, 0.5, 0, 0, 1, 0.5, 0, 0, 0, 0, 0]);
});

test("a shape inside that runs the other way around is cut out, and one that runs along is not", () => {
  const hole = [...rectangle(4, 4, 6, 6)].reverse();
  expect(sum(coverageOf([rectangle(2, 2, 8, 8), hole], 10))).toBeCloseTo(32, 3);
  expect(sum(coverageOf([rectangle(2, 2, 8, 8), rectangle(4, 4, 6, 6)], 10))).toBeCloseTo(36, 3);
});

test("what is outside of the picture is left out", () => {
  expect(sum(coverageOf([rectangle(-5, -5, 5, 50)], 10))).toBeCloseTo(50, 3);
  expect(sum(coverageOf([rectangle(20, 20, 30, 30)], 10))).toBe(0);
});

test("an ellipse has its area", () => {
  const area = sum(coverageOf([ellipse([50, 50], 30, 20)], 100));
  expect(Math.abs(area - Math.PI * 30 * 20)).toBeLessThan(10);
});

test("a curve ends where it is to end, and bends towards its control point", () => {
  const points = curve([0, 0], [5, 10], [10, 0]);
  expect(points.at(-1)).toEqual([10, 0]);
  expect(Math.max(...points.map(([, y]) => y))).toBeCloseTo(5, 1);
});
