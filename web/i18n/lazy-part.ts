import { type Component, createSignal, lazy } from "solid-js";
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

/** A part that is fetched before it is needed, when the browser has time, and at the latest when it is. */
export interface LatePart<T> {
  /** undefined: it is not there yet. */
  part(): T | undefined;
  /** Without a network it gives undefined, and the next one that needs the part asks again. */
  need(): Promise<T | undefined>;
}

export function latePart<T extends object>(load: () => Promise<T>): LatePart<T> {
  const [part, setPart] = createSignal<T>();
  let coming: Promise<T | undefined> | undefined;
  async function fetchPart(): Promise<T | undefined> {
    try {
      const found = await loadWithTexts(load);
      return setPart(() => found);
    } catch (error) {
      coming = undefined;
      if (!(error instanceof TypeError)) throw error;
      return undefined;
    }
  }
  return {
    part,
    need() {
      coming ??= fetchPart();
      return coming;
    },
  };
}
