import { type Component, createMemo, createSignal, type JSX, onCleanup, untrack } from "solid-js";
import { CallError } from "../../client/call-error.ts";
import { needTexts, t } from "./t.ts";
import type { LaterTexts } from "./texts.ts";

const AGAIN_MS = 3000;

/**
 * A component that is fetched when it is first drawn, together with its texts. What could not be fetched is
 * asked for again as long as its place is on the screen.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<Component<Props>>,
  texts: LaterTexts = "more",
): Component<Props> {
  return drawnPart(latePart(async () => ({ Part: await load() }), texts));
}

/** The same of a part that is fetched before it is drawn. If it is there, it is drawn at once. */
export function drawnPart<Props extends object>(
  late: LatePart<{ Part: Component<Props> }>,
): Component<Props> {
  return (props) => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      if (!(await late.need()) && !isGone) timer = setTimeout(() => void ask(), AGAIN_MS);
    };
    onCleanup(() => {
      isGone = true;
      clearTimeout(timer);
    });
    if (!untrack(late.part)) void ask();
    return createMemo(() => {
      const found = late.part();
      return found && untrack(() => found.Part(props));
    }) as unknown as JSX.Element;
  };
}

/** What `load` gives, when its texts are there too. Without a network it fails as a call does. */
export async function loadWithTexts<T>(load: () => Promise<T>, texts: LaterTexts = "more"): Promise<T> {
  try {
    const [part] = await Promise.all([load(), needTexts(texts)]);
    return part;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const failure = { kind: "network", timedOut: false } as const;
    throw new CallError("", failure, t("connection.unreachable"), { cause: error });
  }
}

/** A part that is fetched before it is needed, when the browser has time, and at the latest when it is. */
export interface LatePart<T> {
  /** undefined: it is not there yet. */
  part(): T | undefined;
  /** Without a network it gives undefined, and the next one that needs the part asks again. */
  need(): Promise<T | undefined>;
}

export function latePart<T extends object>(load: () => Promise<T>, texts?: LaterTexts): LatePart<T> {
  const [part, setPart] = createSignal<T>();
  let coming: Promise<T | undefined> | undefined;
  async function fetchPart(): Promise<T | undefined> {
    try {
      const found = await loadWithTexts(load, texts);
      return setPart(() => found);
    } catch (error) {
      coming = undefined;
      if (!(error instanceof CallError)) throw error;
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
