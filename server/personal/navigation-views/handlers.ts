import {
  addNavigationView as addNavigationViewEndpoint,
  getNavigationViews,
  removeNavigationView as removeNavigationViewEndpoint,
  updateNavigationView as updateNavigationViewEndpoint,
} from "../../../api/personal/navigation-views.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { addNavigationView, removeNavigationView, updateNavigationView } from "./actions.ts";
import { presentView } from "./present.ts";
import { ownViews } from "./store.ts";

export function navigationViewRoutes({ config }: Pick<Services, "config">): Route[] {
  const quotas = new Quotas(config);
  return [
    route(getNavigationViews, async ({ state, viewer }) => {
      const own = await ownViews.list(state.database, state.organizationId, viewer.user.id);
      return { navigation_views: own.map(presentView) };
    }),
    route(addNavigationViewEndpoint, async ({ viewer, params }) => {
      const { fragment, isPinned, name } = params;
      await changeContent(viewer, async (tx) => {
        await quotas.use(tx, "views");
        await addNavigationView(tx, { fragment, isPinned, name });
      });
      return {};
    }),
    route(updateNavigationViewEndpoint, async ({ viewer, params }) => {
      const { fragment, isPinned, name } = params;
      await changeContent(viewer, (tx) => updateNavigationView(tx, fragment, { isPinned, name }));
      return {};
    }),
    route(removeNavigationViewEndpoint, async ({ viewer, params }) => {
      await changeContent(viewer, (tx) => removeNavigationView(tx, params.fragment));
      return {};
    }),
  ];
}
