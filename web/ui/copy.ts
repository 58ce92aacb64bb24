/** Copying for the person, and what came of it. */
import { t } from "../i18n/t.ts";
import { say, withPart } from "./notice.ts";
import { openOverlay } from "./overlay.ts";

/**
 * Says that it is done, as `done` or by the caller. Where neither way of copying works, a dialog has the text
 * for the person to copy.
 */
export async function copyText(text: string, done?: string): Promise<boolean> {
  const isCopied = (await writeClipboard(text)) || copySelected(text);
  if (isCopied && done !== undefined) say(done);
  if (!isCopied) {
    await withPart(
      () => import("./copy-dialog.tsx"),
      ({ CopyDialog }) => openOverlay((close) => CopyDialog({ text, onClose: close })),
    );
  }
  return isCopied;
}

export async function copyLinkTo(hash: string): Promise<void> {
  await copyText(`${location.origin}/${hash}`, t("message.linkCopied"));
}

/** Pages without TLS have no clipboard, and a browser may refuse. */
async function writeClipboard(text: string): Promise<boolean> {
  try {
    if (!navigator.clipboard) return false;
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return false;
  }
}

/** The older way. A field outside of an open dialog could not be selected. */
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr";
  field.readOnly = true;
  (focused?.closest("dialog, [popover]") ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
