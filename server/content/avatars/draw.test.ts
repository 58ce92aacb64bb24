import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { initials } from "../../people/pictures/picture.ts";
import { drawPicture } from "./draw.ts";
import { DrawnPictures, parseDrawing } from "./drawn-pictures.ts";

/** How much of a picture is light, from 0 to 1, and its colour in the corner. */
async function look(png: Buffer, size: number) {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([size, size]);
  let light = 0;
  for (let at = 0; at < data.length; at += 3) if ((data[at + 1] as number) > 190) light++;
  return { light: light / size ** 2, corner: [...data.subarray(0, 3)] };
}

describe("initials", () => {
  test.each([
    ["Ada Lovelace", ["A", "L"]],
    ["ada von der lovelace", ["A", "L"]],
    ["Plato", ["P"]],
    ["Élodie Øre", ["É", "Ø"]],
    ["E\u0301lodie", ["É"]],
    ["(Dr.) 'Ben' 2nd", ["D", "2"]],
    ["ßen ǆan", ["S", "Ǆ"]],
    ["Жанна Щукина", ["Ж", "Щ"]],
    ["李 小龙", ["李", "小"]],
    ["🙂 !!", []],
  ])("of %s", (name, expected) => {
    expect(initials(name)).toEqual(expected);
  });
});

describe("a drawn picture", () => {
  test.each([100, 500])("of %i pixels has light letters on a ground of its colour", async (size) => {
    const one = await look(await drawPicture(["A", "L"], 0, size), size);
    const other = await look(await drawPicture(["A", "L"], 1, size), size);
    expect(one.light).toBeGreaterThan(0.05);
    expect(one.light).toBeLessThan(0.3);
    expect(other.corner).not.toEqual(one.corner);
  });

  test.each([["Ø"], ["Ж"], ["Σ"], ["क"], ["Ư"], ["8"]])("has the letter %s", async (letter) => {
    const person = await drawPicture([], 3, 100);
    expect((await drawPicture([letter], 3, 100)).equals(person)).toBe(false);
    expect((await drawPicture([letter, "W"], 3, 100)).equals(await drawPicture(["W"], 3, 100))).toBe(false);
  });

  test("shows a person where the font does not have a letter, or there is none", async () => {
    const person = await drawPicture([], 3, 100);
    expect((await look(person, 100)).light).toBeGreaterThan(0.2);
    expect((await drawPicture(["李"], 3, 100)).equals(person)).toBe(true);
  });

  test("says in its address all that is in it", () => {
    expect(parseDrawing("41-4c-c10.png")).toEqual({ letters: ["A", "L"], colour: 10, size: 100 });
    expect(parseDrawing("674e-c0-medium.png")).toEqual({ letters: ["李"], colour: 0, size: 500 });
    expect(parseDrawing("person.png")).toMatchObject({ letters: [], size: 100 });
  });

  test.each([
    "41-4c-4d-c1.png",
    "041-c1.png",
    "4C-c1.png",
    "41-c16.png",
    "41-c01.png",
    "20-c1.png",
    "3c-c1.png",
    "d800-c1.png",
    "ffffff-c1.png",
    "41-c1.svg",
    "41-c1-large.png",
    "person-41.png",
    "../41-c1.png",
    "",
  ])("has no address like %s", async (name) => {
    expect(parseDrawing(name)).toBeUndefined();
    expect(await new DrawnPictures().open(name)).toBeUndefined();
    expect(await new DrawnPictures().size(name)).toBeUndefined();
  });

  test("is drawn once for all who ask for it", async () => {
    const pictures = new DrawnPictures();
    const bytesOf = async () => {
      const opened = await pictures.open("57-57-c1-medium.png");
      return opened?.stream.read();
    };
    const first = await bytesOf();
    expect(first.length).toBeGreaterThan(500);
    expect(await bytesOf()).toBe(first);
  });
});
