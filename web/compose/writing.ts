import { latePart } from "../i18n/lazy-part.ts";

/** What completes a text, and reads what is pasted. It is fetched with the focus, or before. */
export const writing = latePart(async () => (await import("./writing-parts.ts")).writingParts);
