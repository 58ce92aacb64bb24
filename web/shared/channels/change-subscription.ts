import { updateSubscription } from "../../../api/channels/subscriptions.ts";
import { state } from "../state/state.ts";

export type SubscriptionProperty =
  | "color"
  | "is_muted"
  | "pin_to_top"
  | "desktop_notifications"
  | "audible_notifications"
  | "push_notifications"
  | "email_notifications"
  | "wildcard_mentions_notify";

/** Changes one of the viewer's own settings for a channel. Throws what the server says against it. */
export async function changeSubscription(
  channelId: number,
  property: SubscriptionProperty,
  value: boolean | string | null,
): Promise<void> {
  const parameters = { stream_id: channelId, property, value };
  await state.track(() => state.connection.call(updateSubscription, parameters));
}
