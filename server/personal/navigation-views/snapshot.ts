import { registerNavigationViews } from "../../../api/register/navigation-views.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { presentView } from "./present.ts";
import { ownViews } from "./store.ts";

export const navigationViewSection = sectionOf(
  registerNavigationViews,
  async ({ own, wants }) => {
    if (!wants("navigation_views")) return undefined;
    const views = await own(ownViews);
    return { navigation_views: views.map(presentView) };
  },
  ownViews,
);
