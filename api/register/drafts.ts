import { getDrafts } from "../drafts.ts";
import { registerSection } from "../register-section.ts";

export const registerDrafts = registerSection({
  fields: { drafts: getDrafts.reply.drafts },
});
