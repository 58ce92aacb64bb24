/**
 * The first page of messages is asked for while the call to `/register` is on its way. The view that opens
 * then finds it here.
 */
import { CallError } from "../../../client/call-error.ts";
import type { PageReply } from "../../../client/message-windows/fetch-page.ts";
import type { Answer } from "../../../client/message-windows/message-requests.ts";
import { AROUND } from "../../../client/message-windows/open-window.ts";
import { keyOfNarrow, type Narrow } from "../../../client/narrow.ts";
import { route, savedAnchor } from "../routing/route.ts";
import { state } from "./state.ts";

type EarlyPage = Answer<PageReply> | undefined;

let early: { key: string; answer: Promise<EarlyPage> } | undefined;

export function askEarly(): void {
  const current = route();
  if (current.view !== "messages") return;
  const anchor = savedAnchor()?.id ?? current.near ?? "first_unread";
  const answer = state.askForPage(current.narrow, { anchor, before: AROUND, after: AROUND });
  early = { key: keyOfNarrow(current.narrow), answer: answer.catch(withoutPage) };
}

/** Once, for the view that the page began with. */
export async function takeEarly(narrow: Narrow): Promise<EarlyPage> {
  const found = early?.key === keyOfNarrow(narrow) ? early.answer : undefined;
  early = undefined;
  return found;
}

/** The view asks again, and then says what failed. */
function withoutPage(error: unknown): undefined {
  if (!(error instanceof CallError)) throw error;
  return undefined;
}
