import type { NavigationViewRecord } from "../../../api/personal/navigation-views.ts";
import type { NavigationView } from "./store.ts";

export function presentView({ fragment, isPinned, name }: NavigationView): NavigationViewRecord {
  return { fragment, is_pinned: isPinned, ...(name !== null && { name }) };
}
