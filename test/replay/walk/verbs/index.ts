import type { Verbs } from "../walk.ts";
import { channelVerbs } from "./channels.ts";
import { groupVerbs } from "./groups.ts";
import { messageVerbs } from "./messages.ts";
import { ownVerbs } from "./own.ts";
import { guestVerbs, peopleVerbs } from "./people.ts";

export const allVerbs: Verbs = {
  ...messageVerbs,
  ...channelVerbs,
  ...groupVerbs,
  ...ownVerbs,
  ...peopleVerbs,
};

/** With limits for guests that come and go. */
export const verbsWithLimits: Verbs = { ...allVerbs, ...guestVerbs };
