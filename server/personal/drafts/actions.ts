import { ApiError, errors } from "../../../api/errors.ts";
import { draftsAdded } from "../../../api/events/drafts.ts";
import { MAX_DRAFTS } from "../../../api/limits.ts";
import type { NewDraft } from "../../../api/personal/drafts.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { lockOwnLists } from "../../people/viewer/own-lists.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { checkKeepsDrafts } from "./access.ts";
import { parseDraft } from "./content.ts";
import { appendDraftsRemoved, appendDraftUpdated } from "./events.ts";
import { presentDraft } from "./present.ts";
import { countDrafts, type Draft, deleteDrafts, insertDrafts, updateDraft } from "./store.ts";

/** Keeps drafts of the viewer, whose clients get one event for all. Returns them in the given order. */
export async function createDrafts(tx: ViewerChange, requests: readonly NewDraft[]): Promise<Draft[]> {
  const { viewer } = tx;
  const { organizationId } = tx.state;
  checkKeepsDrafts(viewer.user);
  const contents = requests.map((request) => parseDraft(viewer, request));
  if (contents.length === 0) return [];
  await lockOwnLists(tx, viewer.user.id);
  if ((await countDrafts(tx, organizationId, viewer.user.id)) + contents.length > MAX_DRAFTS) {
    throw new ApiError(errors.personalLimit, { what: "drafts", limit: MAX_DRAFTS });
  }
  const drafts = await insertDrafts(tx, organizationId, viewer.user.id, contents);
  tx.append(draftsAdded, { drafts: drafts.map(presentDraft) }, toUsers([viewer.user.id]));
  return drafts;
}

/** Replaces a draft of the viewer, whose clients get an event. */
export async function editDraft(tx: ViewerChange, id: number, request: NewDraft): Promise<void> {
  const { user } = tx.viewer;
  checkKeepsDrafts(user);
  await lockOwnLists(tx, user.id);
  const content = parseDraft(tx.viewer, request);
  const draft = await updateDraft(tx, tx.state.organizationId, user.id, id, content);
  if (!draft) throw new ApiError(errors.draftDoesNotExist);
  appendDraftUpdated(tx, user.id, draft);
}

/** Deletes a draft of the viewer, whose clients get an event. */
export async function deleteDraft(tx: ViewerChange, id: number): Promise<void> {
  const { user } = tx.viewer;
  checkKeepsDrafts(user);
  await lockOwnLists(tx, user.id);
  const deleted = await deleteDrafts(tx, tx.state.organizationId, user.id, id);
  if (deleted.length === 0) throw new ApiError(errors.draftDoesNotExist);
  appendDraftsRemoved(tx, user.id, deleted);
}
