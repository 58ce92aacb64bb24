import { registerDrafts } from "../../../api/register/drafts.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { keepsDrafts } from "./access.ts";
import { presentDraft } from "./present.ts";
import { listDrafts } from "./store.ts";

export const draftSection = sectionOf(registerDrafts, async ({ state, viewer, tx, wants }) => {
  if (!wants("drafts")) return undefined;
  const isKept = viewer && keepsDrafts(viewer.user);
  const own = isKept ? await listDrafts(tx, state.organizationId, viewer.user.id) : [];
  return { drafts: own.map(presentDraft) };
});
