import { roles } from "../../../api/roles.ts";
import type { User } from "../../people/user.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type Channel, channels } from "../channel.ts";
import { subscribe } from "../subscriptions/subscribe.ts";

/** Subscribes a new person to the default channels that are not archived. Guests are subscribed to none. */
export async function joinDefaultChannels(tx: Change, person: User): Promise<void> {
  if (person.role === roles.guest) return;
  const defaults = listDefaultChannels(tx.state);
  if (defaults.length > 0) await subscribe(tx, defaults, [person]);
}

/** The default channels that are not archived. */
export function listDefaultChannels(state: OrganizationState): Channel[] {
  return [...state.get(channels).all()].filter((each) => each.isDefault && !each.isArchived);
}
