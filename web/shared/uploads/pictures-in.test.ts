import { expect, test } from "vitest";
import { picturesIn, withoutPicture } from "./pictures-in.ts";

const link = "[a.png](/user_uploads/2/ab/a.png)";
const place = "[Uploading b.jpg…]()";

test("pictures are found in the order of the text, by links and by places", () => {
  const text = `${place}\n\nSee ${link} and [c.pdf](/user_uploads/2/ab/c.pdf)`;
  expect(picturesIn(text, [{ place, name: "b.jpg" }])).toEqual([
    { mark: place, name: "b.jpg", address: undefined },
    { mark: link, name: "a.png", address: "/user_uploads/2/ab/a.png" },
  ]);
  // Neither a picture elsewhere, nor an upload of another text.
  expect(picturesIn("[x](https://example.com/x.png)", [{ place, name: "b.jpg" }])).toEqual([]);
});

test("a picture that is removed takes its empty lines along, and nothing else", () => {
  expect(withoutPicture(`Above\n\n${link}\n\nBelow`, { mark: link })).toBe("Above\n\nBelow");
  expect(withoutPicture(`Above\n\n${link}`, { mark: link })).toBe("Above");
  expect(withoutPicture(`${link}\n`, { mark: link })).toBe("");
  expect(withoutPicture(`See ${link}, please\n\n\n`, { mark: link })).toBe("See , please\n\n\n");
  expect(withoutPicture("gone", { mark: link })).toBe("gone");
});
