import { getDrafts } from "../personal/drafts.ts";
import { registerSection } from "../register-section.ts";

export const registerDrafts = registerSection({
  fields: { drafts: getDrafts.reply.drafts },
});
