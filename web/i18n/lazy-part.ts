import { type Component, lazy } from "solid-js";
import { type LaterTexts, needTexts } from "./t.ts";

/** A component that is fetched when it is first drawn, together with its texts. */
export function lazyPart<Props extends object>(
  load: () => Promise<Component<Props>>,
  texts: LaterTexts = "more",
) {
  return lazy(async () => ({ default: await loadWithTexts(load, texts) }));
}

/** What `load` gives, when its texts are there too. */
export async function loadWithTexts<T>(load: () => Promise<T>, texts: LaterTexts = "more"): Promise<T> {
  const [part] = await Promise.all([load(), needTexts(texts)]);
  return part;
}
