/**
 * The sections of subjects that the server has no room for yet, as they are where nothing was ever stored: clients look
 * for all of them. When a room comes, its own snapshot takes the place of its lines here.
 */
import type { RegisterSection } from "../users/register-section.ts";

const sections: Readonly<Record<string, () => Record<string, unknown>>> = {
  custom_profile_fields: () => ({
    custom_profile_fields: [],
    custom_profile_field_types: {
      SHORT_TEXT: { id: 1, name: "Short text" },
      LONG_TEXT: { id: 2, name: "Long text" },
      SELECT: { id: 3, name: "List of options" },
      DATE: { id: 4, name: "Date" },
      URL: { id: 5, name: "Link" },
      USER: { id: 6, name: "People" },
      EXTERNAL_ACCOUNT: { id: 7, name: "Account elsewhere" },
      PRONOUNS: { id: 8, name: "Pronouns" },
    },
  }),
  drafts: () => ({ drafts: [] }),
  onboarding_steps: () => ({ onboarding_steps: [], navigation_tour_video_url: null }),
  scheduled_messages: () => ({ scheduled_messages: [] }),
  reminders: () => ({ reminders: [] }),
  presence: () => ({ presences: {}, presence_last_update_id: -1, server_timestamp: Date.now() / 1000 }),
  realm_domains: () => ({ realm_domains: [] }),
  realm_filters: () => ({ realm_filters: [] }),
  realm_playgrounds: () => ({ realm_playgrounds: [] }),
  realm_bot: () => ({ realm_bots: [] }),
  realm_embedded_bots: () => ({ realm_embedded_bots: [] }),
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: [] }),
  navigation_views: () => ({ navigation_views: [] }),
  saved_snippets: () => ({ saved_snippets: [] }),
  stop_words: () => ({ stop_words: [] }),
  user_status: () => ({ user_status: {} }),
  video_calls: () => ({ has_zoom_token: false }),
  giphy: () => ({ giphy_api_key: "" }),
  push_device: () => ({ push_devices: {} }),
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
};

export const emptySections: RegisterSection = ({ wants }) => {
  const fields: Record<string, unknown> = {};
  for (const [name, present] of Object.entries(sections)) if (wants(name)) Object.assign(fields, present());
  return fields;
};
