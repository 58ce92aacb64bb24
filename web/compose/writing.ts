import { latePart } from "../i18n/lazy-part.ts";

/** What completes a text, and reads what is pasted. It is fetched at the latest when the field has the focus. */
export const writing = latePart(() => import("./writing-parts.ts"));
