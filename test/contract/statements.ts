/**
 * What `docs/spec.md` states of each endpoint, in short, with the test that shows it: its file and its title.
 * `statements.test.ts` checks that the tests are there, and that no rule is left out.
 */
import { channels } from "./statements/channels.ts";
import { clients } from "./statements/clients.ts";
import { conventions } from "./statements/conventions.ts";
import { messages } from "./statements/messages.ts";
import { people } from "./statements/people.ts";
import type { Statement } from "./statements/statement.ts";
import {
  archive,
  deactivateGroup,
  keys,
  limitedGuests,
  linkifier,
  presence,
  settings,
  snapshot,
} from "./statements/test-files.ts";

export const statements: Readonly<Record<string, readonly Statement[]>> = {
  ...conventions,
  ...messages,
  ...channels,
  ...people,
  ...clients,
};

/** What each capability of a client changes (spec E20 `client_capabilities`). */
export const capabilities: Readonly<Record<string, Statement>> = {
  notification_settings_null: [
    "With it, settings that follow the account are null.",
    snapshot,
    "give the account's own settings in place of null to clients that do not know null",
  ],
  bulk_message_deletion: [
    "Without it, messages are deleted one by one.",
    "test/replay/message-deletion.test.ts",
    "deletes all its messages, and older clients get an event for each of them",
  ],
  user_avatar_url_field_optional: [
    "It allows what the server does not do.",
    keys,
    "a picture's address is never left out, not even for clients that can do without it",
  ],
  stream_typing_notifications: [
    "Without it, no typing in channels.",
    "test/replay/typing.test.ts",
    "clients without the capability get no typing events of channels",
  ],
  user_settings_object: [
    "Without it, older events and fields.",
    settings,
    "clients without user_settings_object also get the older events, and others do not",
  ],
  linkifier_url_template: [
    "Without it, no linkifiers.",
    linkifier,
    "realm_linkifiers has them in their order, for clients that know URL templates",
  ],
  user_list_incomplete: [
    "With it, inaccessible users are left out.",
    limitedGuests,
    "the snapshot has only known people, or a placeholder for each other",
  ],
  include_deactivated_groups: [
    "Without it, only active groups.",
    deactivateGroup,
    "is listed only for clients that ask for deactivated groups",
  ],
  archived_channels: [
    "Without it, no archived channels.",
    archive,
    "shows the channel to clients that ask for archived channels",
  ],
  empty_topic_name: [
    "Without it, the empty topic has a name.",
    "test/replay/messages.test.ts",
    "may have the empty topic, which older clients see by its display name",
  ],
  simplified_presence_events: [
    "With it, presence is in the modern form.",
    presence,
    "has the form that the queue asked for",
  ],
};

/** Rules of subjects that the server does not have yet, as `surface.ts` names them. */
export const rulesThatComeLater: Readonly<Record<string, string>> = {};
