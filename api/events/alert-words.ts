import { Type } from "typebox";
import { event } from "../event.ts";

export const alertWordsChanged = event({
  type: "alert_words",
  description: "The user's alert words changed.",
  payload: { alert_words: Type.Array(Type.String(), { description: "All of the user's alert words." }) },
  example: { alert_words: ["deploy", "on call"] },
});
