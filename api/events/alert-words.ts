import { Type } from "typebox";
import { event } from "../event.ts";

export const alertWordsChanged = event({
  type: "alert_words",
  description: "The user's alert words changed.",
  payload: { alert_words: Type.Array(Type.String(), { description: "All of them, as they are now." }) },
  example: { alert_words: ["deploy", "on call"] },
});
