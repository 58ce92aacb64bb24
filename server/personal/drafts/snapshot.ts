import { registerDrafts } from "../../../api/register/drafts.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { keepsDrafts } from "./access.ts";
import { presentDraft } from "./present.ts";
import { ownDrafts } from "./store.ts";

export const draftSection = sectionOf(
  registerDrafts,
  async ({ viewer, own, wants }) => {
    if (!wants("drafts")) return undefined;
    const isKept = viewer && keepsDrafts(viewer.user);
    const drafts = isKept ? await own(ownDrafts) : [];
    return { drafts: drafts.map(presentDraft) };
  },
  ownDrafts,
);
