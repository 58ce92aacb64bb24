import {
  addAlertWords as addAlertWordsEndpoint,
  getAlertWords,
  removeAlertWords as removeAlertWordsEndpoint,
} from "../../../api/attention/alert-words.ts";
import { changeState } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { addAlertWords, removeAlertWords } from "./actions.ts";
import { alertWords } from "./alert-words.ts";

export const alertWordRoutes: Route[] = [
  route(getAlertWords, async ({ state, viewer }) => ({
    alert_words: [...state.get(alertWords).of(viewer.user.id)],
  })),
  route(addAlertWordsEndpoint, async ({ viewer, params }) => {
    const words = await changeState(viewer, (tx) => addAlertWords(tx, params.alertWords));
    return { alert_words: [...words] };
  }),
  route(removeAlertWordsEndpoint, async ({ viewer, params }) => {
    const words = await changeState(viewer, (tx) => removeAlertWords(tx, params.alertWords));
    return { alert_words: [...words] };
  }),
];
