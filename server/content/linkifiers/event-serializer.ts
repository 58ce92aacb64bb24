import { linkifiersChanged } from "../../../api/events/linkifiers.ts";
import { asAppended } from "../../platform/queues/event-variant.ts";
import type { EventSerializer } from "../../platform/queues/queue-parts.ts";

/** COMPAT: clients that do not know URL templates get no such event (spec E20 `linkifier_url_template`). */
export const linkifierSerializer: EventSerializer = {
  type: linkifiersChanged.type,
  serialize: (_state, entry, queue) => (queue.can("linkifier_url_template") ? asAppended(entry) : undefined),
};
