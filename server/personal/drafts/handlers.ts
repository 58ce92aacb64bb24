import {
  createDrafts as createDraftsEndpoint,
  deleteDraft as deleteDraftEndpoint,
  editDraft as editDraftEndpoint,
  getDrafts,
} from "../../../api/personal/drafts.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { checkKeepsDrafts } from "./access.ts";
import { createDrafts, deleteDraft, editDraft } from "./actions.ts";
import { presentDraft } from "./present.ts";
import { ownDrafts } from "./store.ts";

export function draftRoutes({ config }: Pick<Services, "config">): Route[] {
  const quotas = new Quotas(config);
  return [
    route(getDrafts, async ({ state, viewer }) => {
      checkKeepsDrafts(viewer.user);
      const own = await ownDrafts.list(state.database, state.organizationId, viewer.user.id);
      return { count: own.length, drafts: own.map(presentDraft) };
    }),
    route(createDraftsEndpoint, async ({ viewer, params }) => {
      const drafts = await changeContent(viewer, async (tx) => {
        await quotas.use(tx, "drafts", params.drafts.length);
        return createDrafts(tx, params.drafts);
      });
      return { ids: drafts.map(({ id }) => id) };
    }),
    route(editDraftEndpoint, async ({ viewer, params }) => {
      await changeContent(viewer, (tx) => editDraft(tx, params.draftId, params.draft));
      return {};
    }),
    route(deleteDraftEndpoint, async ({ viewer, params }) => {
      await changeContent(viewer, (tx) => deleteDraft(tx, params.draftId));
      return {};
    }),
  ];
}
