export { complete } from "../../client/autocomplete/complete.ts";
export { tokenAt } from "../../client/autocomplete/token.ts";
export { Completions } from "./completions.tsx";
export { pastedMarkdown } from "./paste.ts";
