/** The words that are marked in one message of a feed, and the key of its row; undefined: there are none. */
export function selectedWords(): { key: string; text: string } | undefined {
  const selection = getSelection();
  const text = selection?.toString().trim();
  if (!selection || !text) return undefined;
  const [start, end] = [rowOf(selection.anchorNode), rowOf(selection.focusNode)];
  const key = start === end ? start?.dataset.key : undefined;
  return key === undefined ? undefined : { key, text };
}

/** The row whose text the node is in. What else is in a row is no text of the message. */
function rowOf(node: Node | null): HTMLElement | null {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest(".content")?.closest<HTMLElement>("article[data-key]") ?? null;
}
