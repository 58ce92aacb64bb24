import {
  addAlertWords as addEndpoint,
  getAlertWords,
  removeAlertWords as removeEndpoint,
} from "../../../api/alert-words.ts";
import type { Route } from "../../platform/http/handler.ts";
import { runStateChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { currentViewer } from "../users/current-viewer.ts";
import { route } from "../users/route.ts";
import { addAlertWords, removeAlertWords } from "./actions.ts";
import { alertWords } from "./alert-words.ts";

export function alertWordRoutes(_services: Services): Route[] {
  return [
    route(getAlertWords, async ({ state, viewer }) => ({
      alert_words: [...state.get(alertWords).of(viewer.user.id)],
    })),
    route(addEndpoint, async ({ state, viewer, params }) => {
      const words = await runStateChange(state, (tx) =>
        addAlertWords(tx, currentViewer(viewer), params.alertWords),
      );
      return { alert_words: [...words] };
    }),
    route(removeEndpoint, async ({ state, viewer, params }) => {
      const words = await runStateChange(state, (tx) =>
        removeAlertWords(tx, currentViewer(viewer), params.alertWords),
      );
      return { alert_words: [...words] };
    }),
  ];
}
