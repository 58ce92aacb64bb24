import { draftRemoved, draftUpdated } from "../../../api/events/drafts.ts";
import type { UserId } from "../../../api/ids.ts";
import type { Change } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { presentDraft } from "./present.ts";
import type { Draft } from "./store.ts";

/** The owner's clients get an event. */
export function appendDraftUpdated(tx: Change, userId: UserId, draft: Draft): void {
  tx.append(draftUpdated, { draft: presentDraft(draft) }, toUsers([userId]));
}

/** The owner's clients get an event for each draft that is gone. */
export function appendDraftsRemoved(tx: Change, userId: UserId, ids: readonly number[]): void {
  for (const draft_id of ids) tx.append(draftRemoved, { draft_id }, toUsers([userId]));
}
