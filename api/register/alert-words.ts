import { alertWordsChanged } from "../events/alert-words.ts";
import { registerSection } from "../register-section.ts";

export const registerAlertWords = registerSection({
  fields: { alert_words: alertWordsChanged.payload.alert_words },
});
