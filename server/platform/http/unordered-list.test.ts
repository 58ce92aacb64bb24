import { expect, test } from "vitest";
import { UnorderedList } from "./unordered-list.ts";

const item = (name: string) => ({ name, listIndex: -1 });

test("items join and leave in any order", () => {
  const list = new UnorderedList<ReturnType<typeof item>>();
  const [a, b, c] = [item("a"), item("b"), item("c")];
  for (const each of [a, b, c]) list.add(each);
  const names = () => [...list].map(({ name }) => name).sort();
  list.delete(a);
  expect(names()).toEqual(["b", "c"]);
  list.delete(a);
  expect([list.size, a.listIndex]).toEqual([2, -1]);
  list.delete(c);
  list.add(a);
  list.delete(b);
  expect(names()).toEqual(["a"]);
  list.delete(a);
  expect(list.size).toBe(0);
});

test("items may leave while the list is read", () => {
  const list = new UnorderedList<ReturnType<typeof item>>();
  for (const name of ["a", "b", "c"]) list.add(item(name));
  const seen: string[] = [];
  for (const each of list) {
    seen.push(each.name);
    list.delete(each);
  }
  expect([seen, list.size]).toEqual([["a", "b", "c"], 0]);
});
