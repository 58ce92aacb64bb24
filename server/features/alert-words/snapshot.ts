import type { RegisterSection } from "../users/register-section.ts";
import { alertWords } from "./alert-words.ts";

export const alertWordSection: RegisterSection = ({ state, viewer, wants }) =>
  wants("alert_words") ? { alert_words: viewer ? state.get(alertWords).of(viewer.user.id) : [] } : undefined;
