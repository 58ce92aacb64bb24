import type { Person } from "./fixture.ts";
import { post } from "./requests.ts";

/** The capabilities of the newest clients. */
const CAPABILITIES = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
  simplified_presence_events: true,
};

/** `/register` with everything, as the newest clients ask. */
export function registration(person: Person): string {
  return post(person, "/register", {
    client_capabilities: JSON.stringify(CAPABILITIES),
    include_subscribers: "partial",
    apply_markdown: "true",
    client_gravatar: "true",
    slim_presence: "true",
  });
}
