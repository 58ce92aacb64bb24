import type { OrganizationId } from "../../../api/ids.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { filterTermsOf } from "./filter-terms.ts";
import { tokensInHtml } from "./html-tokens.ts";
import { pairTerms } from "./pair-terms.ts";
import { quote } from "./query.ts";
import { deleteTokens, type IndexedMessage, insertTokens, insertVocabulary, listMessages } from "./store.ts";
import { indexedForms, isFoundByPart, partsOf, type Token, tokensIn } from "./tokens.ts";

/** Writes the rows of these messages, new ones and ones that are there already. */
export async function writeWords(tx: Transaction, messages: readonly IndexedMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const vocabulary = new Map<string, { organizationId: OrganizationId; word: string; messageId: number }>();
  const rows = messages.map((message) => {
    const { organizationId, id } = message;
    const words = tokensOf(message);
    for (const word of words) {
      if (!isFoundByPart(word)) continue;
      vocabulary.set(`${organizationId}.${word.text}`, { organizationId, word: word.text, messageId: id });
    }
    const forms = words.flatMap(indexedForms);
    const terms = [...filterTermsOf(organizationId, message), ...pairTerms(forms)];
    return { organizationId, id, text: forms.join(" "), terms: terms.map(quote).join(" ") };
  });
  await insertTokens(tx, rows);
  if (vocabulary.size === 0) return;
  await insertVocabulary(
    tx,
    Array.from(vocabulary.values(), (entry) => ({ ...entry, parts: partsOf(entry.word) })),
  );
}

/** Writes the rows of these messages again, and deletes the rows of those that are gone. */
export async function rewriteWords(
  tx: Transaction,
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
