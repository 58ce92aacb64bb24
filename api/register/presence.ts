import { presences, presenceUpdateId, serverTimestamp } from "../profiles/presence.ts";
import { registerSection } from "../register-section.ts";

export const registerPresence = registerSection({
  fields: { presences, presence_last_update_id: presenceUpdateId, server_timestamp: serverTimestamp },
});
