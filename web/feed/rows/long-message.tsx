import { createMemo, createSignal, Show } from "solid-js";
import { t } from "../../i18n/t.ts";
import { RenderedContent } from "../../ui/rendered-content.tsx";

/** More lines than a screen has. They are estimated from the HTML, since measuring each row would be slow. */
const MOST_LINES = 40;
const LINE_LENGTH = 110;
/** Nothing shorter has so many lines. */
const LEAST_LENGTH = MOST_LINES * 4;

/** By the row's key: which are shown whole. They stay so while the page lives. */
const [whole, setWhole] = createSignal<ReadonlySet<string>>(new Set());

/** A text that is longer than a screen ends in a button that shows the rest. */
export function LongMessage(props: { rowKey: string; html: string }) {
  const isLong = createMemo(() => isLongerThanScreen(props.html));
  const isWhole = () => whole().has(props.rowKey);
  const turn = (on: boolean) => {
    const next = new Set(whole());
    if (on) next.add(props.rowKey);
    else next.delete(props.rowKey);
    setWhole(next);
  };
  return (
    <>
      <div
        classList={{ folded: isLong() && !isWhole() }}
        // What has the focus is to be seen.
        onFocusIn={() => isLong() && !isWhole() && turn(true)}
      >
        <RenderedContent html={props.html} />
      </div>
      <Show when={isLong()}>
        <button type="button" class="quiet show-more" onClick={() => turn(!isWhole())}>
          {t(isWhole() ? "message.showLess" : "message.showMore")}
        </button>
      </Show>
    </>
  );
}

/** Lines of code as they are, and other text by its blocks and its length. */
export function isLongerThanScreen(html: string): boolean {
  if (html.length < LEAST_LENGTH) return false;
  let lines = 0;
  const rest = html.replace(/<pre>[\s\S]*?<\/pre>/g, (code) => {
    lines += code.split("\n").length;
    return "";
  });
  lines += rest.match(/<br|<\/(?:p|li|tr|h[1-6])>/g)?.length ?? 0;
  lines += rest.replace(/<[^>]*>/g, "").length / LINE_LENGTH;
  return lines > MOST_LINES;
}
