/**
 * Files that are dropped on the page. Those over the conversation go to its message box. The others are
 * refused, since a browser would leave the page to open them, and a hint says where they can go.
 */
import { createSignal, onCleanup } from "solid-js";

type Take = (files: readonly File[]) => void;

/** Where files are held: over the conversation, or where they can't go. */
const [held, setHeld] = createSignal<"here" | "elsewhere" | undefined>();
let takers: readonly Take[] = [];

export { held as heldFiles };

/** Whether a message box is on the screen that takes files. */
export function mayDropFiles(): boolean {
  return takers.length > 0;
}

/** As long as the owner lives. */
export function takeDroppedFiles(take: Take): void {
  takers = [take, ...takers];
  onCleanup(() => {
    takers = takers.filter((taker) => taker !== take);
  });
}

export function watchDroppedFiles(): void {
  const onDragOver = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    if (isForField(event)) return setHeld(undefined);
    event.preventDefault();
    setHeld(isForConversation(event) ? "here" : "elsewhere");
    if (event.dataTransfer) event.dataTransfer.dropEffect = held() === "here" ? "copy" : "none";
  };
  const onDragLeave = (event: DragEvent) => {
    // Within the page there is another element that is entered.
    if (event.relatedTarget === null) setHeld(undefined);
  };
  const onDrop = (event: DragEvent) => {
    setHeld(undefined);
    if (!hasFiles(event) || isForField(event)) return;
    event.preventDefault();
    if (isForConversation(event)) takers[0]?.([...(event.dataTransfer?.files ?? [])]);
  };
  document.addEventListener("dragover", onDragOver);
  document.addEventListener("dragleave", onDragLeave);
  document.addEventListener("drop", onDrop);
  onCleanup(() => {
    document.removeEventListener("dragover", onDragOver);
    document.removeEventListener("dragleave", onDragLeave);
    document.removeEventListener("drop", onDrop);
  });
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}

/** A field for files takes them by itself. */
function isForField({ target }: DragEvent): boolean {
  return target instanceof HTMLInputElement && target.type === "file";
}

function isForConversation({ target }: DragEvent): boolean {
  return (
    takers.length > 0 &&
    target instanceof Element &&
    target.closest("main") !== null &&
    !target.closest("dialog")
  );
}
