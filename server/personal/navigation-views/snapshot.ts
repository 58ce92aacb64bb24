import { registerNavigationViews } from "../../../api/register/navigation-views.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { presentView } from "./present.ts";
import { listViews } from "./store.ts";

export const navigationViewSection = sectionOf(
  registerNavigationViews,
  async ({ state, viewer, tx, wants }) => {
    if (!wants("navigation_views")) return undefined;
    const own = viewer ? await listViews(tx, state.organizationId, viewer.user.id) : [];
    return { navigation_views: own.map(presentView) };
  },
);
