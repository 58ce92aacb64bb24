import {
  addAlertWords as addEndpoint,
  getAlertWords,
  removeAlertWords as removeEndpoint,
} from "../../../api/alert-words.ts";
import { type Route, route } from "../../platform/http/handler.ts";
import { changeState } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { currentViewer } from "../users/current-viewer.ts";
import { addAlertWords, removeAlertWords } from "./actions.ts";
import { alertWords } from "./alert-words.ts";

export function alertWordRoutes(_services: Services): Route[] {
  return [
    route(getAlertWords, async ({ live, viewer }) => ({
      alert_words: [...live.get(alertWords).of(viewer.user.id)],
    })),
    route(addEndpoint, async ({ live, viewer, params }) => {
      const words = await changeState(live, (tx) =>
        addAlertWords(tx, currentViewer(viewer), params.alertWords),
      );
      return { alert_words: [...words] };
    }),
    route(removeEndpoint, async ({ live, viewer, params }) => {
      const words = await changeState(live, (tx) =>
        removeAlertWords(tx, currentViewer(viewer), params.alertWords),
      );
      return { alert_words: [...words] };
    }),
  ];
}
