import { registerAlertWords } from "../../../api/register/alert-words.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { alertWords } from "./alert-words.ts";

export const alertWordSection = sectionOf(registerAlertWords, ({ state, viewer, wants }) =>
  wants("alert_words") ? { alert_words: viewer ? state.get(alertWords).of(viewer.user.id) : [] } : undefined,
);
