import type { NavigationViewRecord } from "../../../api/navigation-views.ts";
import type { NavigationView } from "./store.ts";

export function presentView({ fragment, isPinned, name }: NavigationView): NavigationViewRecord {
  return { fragment, is_pinned: isPinned, ...(name !== null && { name }) };
}
