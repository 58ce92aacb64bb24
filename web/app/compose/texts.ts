/** Texts that were begun, for those who change them from outside of the box. */
import type { Conversation } from "../../../client/narrow.ts";
import { composeTo, focusCompose } from "./compose-target.ts";
import { draftKey, draftOf, keepDraft } from "./drafts.ts";

interface OpenText {
  place(): Conversation | undefined;
  text(): string;
  write(text: string): void;
}

let open: OpenText | undefined;

/** The text in the box. */
export function setOpenText(text: OpenText | undefined): void {
  open = text;
}

/** Whether the text of the place has `from`, which becomes `to`. The text may be in the box, or a draft. */
export function replaceInText(place: Conversation, from: string, to: string): boolean {
  if (open?.text().includes(from)) {
    open.write(open.text().replace(from, () => to));
    return true;
  }
  const text = draftOf(place);
  if (!text.includes(from)) return false;
  keepDraft(
    place,
    text.replace(from, () => to),
  );
  return true;
}

/** Opens the box at that place with this text, below what is there. */
export function beginWith(place: Conversation, content: string): void {
  const isHere = open && draftKey(open.place()) === draftKey(place);
  const before = (isHere && open ? open.text() : draftOf(place)).trimEnd();
  const text = before === "" ? content : `${before}\n\n${content}`;
  if (isHere) open?.write(text);
  else keepDraft(place, text);
  composeTo(place);
  focusCompose();
}
