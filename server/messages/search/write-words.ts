import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { TurnBudget } from "../../platform/std/turn-budget.ts";
import { filterTermsOf } from "./filter-terms.ts";
import { tokensInHtml } from "./html-tokens.ts";
import { pairTerms } from "./pair-terms.ts";
import { quote } from "./query.ts";
import {
  deleteTokens,
  type IndexedMessage,
  insertTokens,
  insertVocabulary,
  listMessages,
  type TokensRow,
  type VocabularyRow,
} from "./store.ts";
import { indexedForms, isFoundByPart, partsOf, type Token, tokensIn } from "./tokens.ts";

/** A long text takes one or two milliseconds. The rest of a turn of the event loop is for requests. */
const TURN_MS = 4;
const turns = new TurnBudget(TURN_MS);
/**
 * How many characters of words and terms one statement writes. To write more at once would hold up all other
 * requests of the process.
 */
const MAX_STATEMENT_CHARS = 128 * 1024;

/**
 * Writes the rows of these messages, new ones and ones that are there already. Many long messages take many
 * turns of the event loop and several statements.
 */
export async function writeWords(
  tx: Queryable,
  messages: readonly IndexedMessage[],
  budget = turns,
): Promise<void> {
  let part = new Part();
  for (const message of messages) {
    await budget.run(writeWords, message.renderedContent.length, () => part.add(message));
    if (part.chars < MAX_STATEMENT_CHARS) continue;
    await part.write(tx);
    part = new Part();
  }
  await part.write(tx);
}

/** The rows of messages that are written together. */
class Part {
  chars = 0;
  readonly #rows: TokensRow[] = [];
  readonly #vocabulary = new Map<string, VocabularyRow>();

  add(message: IndexedMessage): void {
    const { organizationId, id } = message;
    const words = tokensOf(message);
    for (const word of words) if (isFoundByPart(word)) this.#addToVocabulary(organizationId, word.text, id);
    const forms = formsOf(words);
    const terms = [...filterTermsOf(organizationId, message), ...pairTerms(forms)];
    const row = { organizationId, id, text: forms.join(" "), terms: terms.map(quote).join(" ") };
    this.#rows.push(row);
    this.chars += row.text.length + row.terms.length;
  }

  #addToVocabulary(organizationId: OrganizationId, word: string, messageId: number): void {
    const key = `${organizationId}.${word}`;
    if (this.#vocabulary.has(key)) return;
    const parts = partsOf(word);
    this.#vocabulary.set(key, { organizationId, word, parts, messageId });
    this.chars += parts.reduce((sum, part) => sum + part.length, word.length);
  }

  async write(tx: Queryable): Promise<void> {
    if (this.#rows.length > 0) await insertTokens(tx, this.#rows);
    if (this.#vocabulary.size > 0) await insertVocabulary(tx, [...this.#vocabulary.values()]);
  }
}

function formsOf(words: readonly Token[]): string[] {
  const forms: string[] = [];
  for (const word of words) {
    if (word.isRun) forms.push(...indexedForms(word));
    else forms.push(word.text);
  }
  return forms;
}

/** Writes the rows of these messages again, and deletes the rows of those that are gone. */
export async function rewriteWords(
  tx: Queryable,
  ids: readonly { organizationId: OrganizationId; id: number }[],
): Promise<void> {
  for (const organizationId of new Set(ids.map((message) => message.organizationId))) {
    const own = ids.filter((message) => message.organizationId === organizationId).map(({ id }) => id);
    const messages = await listMessages(tx, organizationId, own);
    const present = new Set<number>(messages.map(({ id }) => id));
    const gone = own.filter((id) => !present.has(id));
    if (gone.length > 0) await deleteTokens(tx, organizationId, gone);
    await writeWords(tx, messages);
  }
}

/** The words by which a search finds a message: those of its topic and of its visible text. */
export function tokensOf({
  topic,
  renderedContent,
}: Pick<IndexedMessage, "topic" | "renderedContent">): Token[] {
  return [...tokensIn(topic ?? ""), ...tokensInHtml(renderedContent)];
}
