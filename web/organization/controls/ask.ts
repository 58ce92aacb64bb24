/** Questions before what can't be undone. */
import { problemOf } from "../../shared/state/problem-of.ts";
import { askFirst } from "../../ui/menus.tsx";

/** `run` may reject with a failed call, whose reason the question shows. */
export function ask(question: {
  title: string;
  text: string;
  action: string;
  run(): Promise<unknown>;
}): void {
  askFirst({ ...question, run: () => problemOf(() => question.run()) });
}
