import { complete } from "../../client/autocomplete/complete.ts";
import { tokenAt } from "../../client/autocomplete/token.ts";
import { loadEmoji, recentEmoji } from "../shared/text/emoji.ts";
import { Completions } from "./completions.tsx";
import { pastedMarkdown } from "./paste.ts";

export const writingParts = { complete, tokenAt, loadEmoji, recentEmoji, Completions, pastedMarkdown };
