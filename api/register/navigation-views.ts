import { getNavigationViews } from "../personal/navigation-views.ts";
import { registerSection } from "../register-section.ts";

export const registerNavigationViews = registerSection({
  fields: { navigation_views: getNavigationViews.reply.navigation_views },
});
