import { registerNotYetBuilt } from "../../../api/register/not-yet-built.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";

/** Clients look for these fields too. A subject that is built answers its fields in a section of its own. */
export const notYetBuiltSection = sectionOf(registerNotYetBuilt, ({ wants }) => ({
  ...(wants("realm_embedded_bots") && { realm_embedded_bots: [] }),
  ...(wants("stop_words") && { stop_words: [] }),
  ...(wants("video_calls") && { has_zoom_token: false }),
  ...(wants("giphy") && { giphy_api_key: "" }),
  ...(wants("realm_billing") && { realm_billing: { has_pending_sponsorship_request: false } }),
}));
