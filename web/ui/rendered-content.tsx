import { createEffect, createMemo } from "solid-js";
import { renderContent } from "../shared/text/content.ts";

/** The HTML of a message. Equal HTML keeps its elements. */
export function RenderedContent(props: { html: string }) {
  let element: HTMLDivElement | undefined;
  const html = createMemo(() => props.html);
  createEffect(() => {
    if (element) renderContent(element, html());
  });
  return (
    <div
      ref={(one) => {
        element = one;
      }}
      class="content"
      dir="auto"
    />
  );
}
