import {
  createSavedSnippet as createSavedSnippetEndpoint,
  deleteSavedSnippet as deleteSavedSnippetEndpoint,
  getSavedSnippets,
  updateSavedSnippet as updateSavedSnippetEndpoint,
} from "../../../api/personal/saved-snippets.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { createSavedSnippet, deleteSavedSnippet, updateSavedSnippet } from "./actions.ts";
import { presentSnippet } from "./present.ts";
import { ownSnippets } from "./store.ts";

export function savedSnippetRoutes({ config }: Pick<Services, "config">): Route[] {
  const quotas = new Quotas(config);
  return [
    route(getSavedSnippets, async ({ state, viewer }) => {
      const own = await ownSnippets.list(state.database, state.organizationId, viewer.user.id);
      return { saved_snippets: own.map(presentSnippet) };
    }),
    route(createSavedSnippetEndpoint, async ({ viewer, params }) => {
      const snippet = await changeContent(viewer, async (tx) => {
        await quotas.use(tx, "snippets");
        return createSavedSnippet(tx, params);
      });
      return { saved_snippet_id: snippet.id };
    }),
    route(updateSavedSnippetEndpoint, async ({ viewer, params }) => {
      const { savedSnippetId, title, content } = params;
      await changeContent(viewer, (tx) => updateSavedSnippet(tx, savedSnippetId, { title, content }));
      return {};
    }),
    route(deleteSavedSnippetEndpoint, async ({ viewer, params }) => {
      await changeContent(viewer, (tx) => deleteSavedSnippet(tx, params.savedSnippetId));
      return {};
    }),
  ];
}
