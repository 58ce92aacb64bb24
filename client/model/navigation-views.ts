import type { EventOf } from "../../api/event.ts";
import type { viewAdded, viewRemoved, viewUpdated } from "../../api/events/navigation-views.ts";
import type { Subject } from "./subject.ts";
import { readFields, section, type WireObject } from "./wire.ts";

export interface NavigationView {
  fragment: string;
  isPinned: boolean;
  /** Absent for built-in views. */
  name?: string;
}

type ViewEvent = EventOf<typeof viewAdded> | EventOf<typeof viewUpdated> | EventOf<typeof viewRemoved>;

/** The views that the viewer added to the sidebar, and the built-in views that they arranged. */
export class NavigationViews implements Subject {
  readonly byFragment = new Map<string, NavigationView>();
  readonly handlers = {
    navigation_view: (event: ViewEvent) => this.#handle(event),
  };

  readonly keys = ["navigation_views"];

  static fromSnapshot(snapshot: WireObject): NavigationViews {
    const own = new NavigationViews();
    for (const record of section(snapshot, "navigation_views")) own.#put(record);
    return own;
  }

  comparable(): unknown {
    return [...this.byFragment.values()];
  }

  #handle(event: ViewEvent): void {
    if (event.op === "add") this.#put(event.navigation_view);
    else if (event.op === "remove") this.byFragment.delete(event.fragment);
    else {
      const view = this.byFragment.get(event.fragment);
      if (view) Object.assign(view, readFields<Partial<NavigationView>>(event.data, {}));
    }
  }

  #put(record: WireObject): void {
    const view = readFields<NavigationView>(record, {});
    this.byFragment.set(view.fragment, view);
  }
}
