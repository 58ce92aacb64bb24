/**
 * What `docs/spec.md` states of each endpoint, in short, with the test that shows it: its file and its title.
 * `statements.test.ts` checks that the tests are there, and that no rule is left out.
 */

/** What is stated, the file of a test below the checkout, and the title of that test. */
export type Statement = readonly [says: string, file: string, title: string];

const features = "server/features/";
const archive = `${features}channels/update/archive.test.ts`;
const deactivateGroup = `${features}groups/deactivate.test.ts`;
const deactivatePerson = `${features}users/deactivate/deactivate.test.ts`;
const edits = "test/replay/message-edits.test.ts";
const fields = `${features}profile-fields/fields.test.ts`;
const flags = `${features}flags/flags.test.ts`;
const folders = `${features}channels/folders/folders.test.ts`;
const http = "server/platform/http/app.test.ts";
const keys = "test/contract/register-keys.test.ts";
const limitedGuests = `${features}guest-access/guest-access.test.ts`;
const linkifier = `${features}linkifiers/linkifier.test.ts`;
const mentions = `${features}messages/mentions/wildcard-mentions.test.ts`;
const mutedUsers = "test/replay/muted-users.test.ts";
const narrow = `${features}messages/query/narrow/event-narrow.test.ts`;
const organization = `${features}organization-settings/snapshot.test.ts`;
const policies = "test/replay/automatic-policies.test.ts";
const presence = `${features}presence/presence.test.ts`;
const queues = "server/platform/queues/queues.test.ts";
const reports = `${features}reports/report.test.ts`;
const rules = "test/contract/rules.test.ts";
const send = `${features}messages/send/send.test.ts`;
const serverSettings = `${features}organization-settings/handlers.test.ts`;
const settings = `${features}users/update-settings.test.ts`;
const signIn = `${features}auth/sign-in.test.ts`;
const devices = "server/features/push-devices/push-devices.test.ts";
const snippets = `${features}saved-snippets/saved-snippets.test.ts`;
const snapshot = `${features}channels/snapshot.test.ts`;
const subscribe = `${features}channels/handlers.test.ts`;
const topicsPolicy = `${features}messages/send/topics-policy.test.ts`;
const update = `${features}channels/update/update.test.ts`;
const users = `${features}users/handlers.test.ts`;
const webhooks = `${features}webhooks/outgoing/deliver.test.ts`;
const views = `${features}navigation-views/navigation-views.test.ts`;

export const statements: Readonly<Record<string, readonly Statement[]>> = {
  "Conventions 2": [
    ["Forms and JSON objects are read.", http, "%s is parsed"],
    ["An array or an object is JSON in its field.", "server/platform/http/decode.test.ts", "%s from %s"],
  ],
  "Conventions 3": [
    [
      "A success has result and msg.",
      http,
      "carries result, msg and the reply's fields, and ends with a newline",
    ],
  ],
  "Conventions 4": [
    ["Unknown parameters are listed.", http, "lists the parameters that the endpoint does not know"],
  ],
  "Conventions 5": [
    ["An error has its code and fields.", http, "a declared one gives its status, code and fields"],
  ],
  "Conventions 6": [
    [
      "`old` must be the current value.",
      update,
      "change only if the old value in the request is still current",
    ],
  ],
  "Conventions 7": [
    [
      "The empty topic has a name for older clients.",
      "test/replay/messages.test.ts",
      "may have the empty topic, which older clients see by its display name",
    ],
  ],
  E1: [
    [
      "Older names of types and of the topic count.",
      rules,
      "takes the type %s, and the topic by its older name",
    ],
    ["A direct message has no topic.", rules, "takes the type %s, and then ignores the topic"],
    ["`to` is a channel's name or ID.", send, "can be addressed by %s"],
    ["`to` is a list of user IDs or of emails.", send, "goes to %s"],
    ["A missing channel is STREAM_DOES_NOT_EXIST, with its name.", send, "is refused with %s"],
    ["An invalid email is BAD_REQUEST.", send, "to %s is refused"],
    [
      "Content and topic are cut at their limits.",
      send,
      "is cut when it is too long, and so is its topic, counted in characters",
    ],
    [
      "`(no topic)` and the display name are the empty topic.",
      send,
      "has the empty topic when the topic is written '%s'",
    ],
    [
      "Where a topic is required, the empty one is refused.",
      topicsPolicy,
      "in a channel whose policy is %s, in an organization where it is %s, topics are %j",
    ],
    ["The named queue gets `local_id`, and no other.", send, "is in the queue that sent it, and in no other"],
    ["`queue_id` needs `local_id`.", send, "needs a local_id with its queue_id"],
    [
      "`read_by_sender` decides whether the sender has read it.",
      send,
      "is read or unread as the request says",
    ],
    [
      "Without it, the client's name decides.",
      send,
      "is read by default when its client shows people what they send",
    ],
    [
      "A changed policy is in the response, and an event.",
      policies,
      "follows it: their clients get that event before the message, and the response says so",
    ],
    ["Sending can unmute a topic.", policies, "writing in a topic of a muted channel unmutes the topic"],
    [
      "Mentioning a large channel needs permission.",
      mentions,
      "mentioning everyone in a channel of more than 15 people needs permission",
    ],
    [
      "Mentioning a large topic needs permission.",
      mentions,
      "mentioning everyone in a topic where more than 15 people have written needs permission",
    ],
  ],
  E2: [
    [
      "Settings of new channels do not change others.",
      rules,
      "settings of a new channel are ignored for a channel that exists (spec E2)",
    ],
    [
      "A missing channel is created.",
      subscribe,
      "makes a channel that does not exist, and subscribes the caller",
    ],
    [
      "The reply names who was subscribed before.",
      subscribe,
      "says who was subscribed already, and finds a channel whatever the case of its name",
    ],
    [
      "`principals` are IDs or emails.",
      subscribe,
      "takes principals by email too, and then does not subscribe the caller",
    ],
    [
      "An unknown or deactivated principal fails the request.",
      subscribe,
      "changes nothing when one principal is unknown, deactivated, or of another organization",
    ],
    [
      "Channels that are refused may be listed in `unauthorized`.",
      subscribe,
      "is listed as unauthorized when that is not fatal, and the other channels are joined",
    ],
    [
      "Permissions let people join and add others.",
      subscribe,
      "can_subscribe_group lets people join it, and can_add_subscribers_group lets them add others",
    ],
    [
      "The organization decides who creates channels.",
      subscribe,
      "decide who creates public and private channels",
    ],
    [
      "Default channels and retention need a role.",
      subscribe,
      "let only administrators set default channels, and only owners set retention",
    ],
    [
      "`is_web_public` has its prerequisites.",
      subscribe,
      "can be web-public only if the organization allows spectators and the viewer may make such channels",
    ],
    [
      "`announce` announces new channels.",
      "test/replay/subscriptions.test.ts",
      "is announced in the organization's channel for new channels",
    ],
    [
      "`history_public_to_subscribers` is false for a private channel by itself.",
      subscribe,
      "does not share its history unless asked to",
    ],
    ["`topics_policy` of a new channel.", subscribe, "takes a topics policy as a plain word or as JSON"],
    [
      "A new channel keeps the permissions of the request.",
      subscribe,
      "keeps the groups that it was given, and a single group as its id",
    ],
  ],
  E3: [
    [
      "`is_private` hides the channel from others.",
      update,
      "a channel made private is hidden from non-subscribers and stays open to subscribers",
    ],
    [
      "Administrators may change any property.",
      update,
      "is allowed to administrators of the organization and of the channel, and to nobody else",
    ],
    [
      "Who changes access to a private channel reads it.",
      update,
      "an administrator of a private channel must be able to read it to change who has access to it",
    ],
    [
      "The name has a limit, and is not that of another channel.",
      update,
      "a name is refused if it is the present one or another channel has it, archived channels too",
    ],
    ["The description has a limit.", update, "a description is one line of at most 1,024 characters"],
    [
      "A public channel shares its history.",
      update,
      "a public channel always shares its history, and a private one is not read without an account",
    ],
    [
      "`is_web_public` has its prerequisites.",
      update,
      "web-public requires the server's setting, the organization's setting and the permission",
    ],
    [
      "`is_default_stream` is for administrators.",
      update,
      "only administrators of the organization set and unset them",
    ],
    ["Retention is set by owners.", update, "is set only by owners"],
    ["`is_archived` only unarchives.", archive, "is done only by DELETE, and only once"],
    [
      "`folder_id` puts it into a folder or takes it out.",
      update,
      "a channel can be put into a folder that is not archived, and taken out",
    ],
    [
      "`empty_topic_only` needs all messages in the empty topic.",
      update,
      "allows only the empty topic if every message is in it already",
    ],
    [
      "Permissions that delete messages have a permission.",
      update,
      "to delete messages are set by people whom the organization's permission names",
    ],
  ],
  E4: [
    ["Long texts and people are not in the summary.", fields, "%s is refused"],
    ["Only administrators create fields.", fields, "is no matter for %s"],
    ["`field_data` counts for its types only.", fields, "ignores field_data where its type has none"],
    [
      "An external account may do without a name.",
      fields,
      "for a service of the list has its name and hint, unless others are given",
    ],
    ["At most two fields are in the summary.", fields, "can be in the summary together with one other"],
    [
      "Who may not change a field's value.",
      `${features}profile-fields/values.test.ts`,
      "of a field that people may not change is for administrators, of their own too",
    ],
  ],
  E5: [
    [
      "Without edits there is one entry with five fields.",
      rules,
      "the history of a message that nobody edited is one entry with five fields (spec E5)",
    ],
    [
      "Snapshots run from the oldest, with what changed.",
      edits,
      "has each version of a message, oldest first, with the changes marked",
    ],
    ["An organization can disable it.", edits, "can be limited to moves, or turned off"],
    ["An unknown message is BAD_REQUEST.", edits, "of an unreadable message is refused"],
    [
      "`allow_empty_topic_name` keeps the empty topic.",
      edits,
      "gives the empty topic its display name, unless the client accepts an empty one",
    ],
  ],
  E6: [
    [
      "The reply lists the messages that changed.",
      flags,
      "the response and the event name only the messages that change",
    ],
    ["Only three flags are changed by people.", flags, "for op %s and flag %s"],
    [
      "Unread skips channels without a subscription.",
      flags,
      "can't be made in a channel that the user is not subscribed to; the response names the channel",
    ],
  ],
  E7: [
    ["What is not given stays.", views, "keeps what a change does not give (spec E7)"],
    ["A built-in view has no name.", views, "%s is built in, so it has no name"],
    [
      "An unknown view is NOT_FOUND.",
      views,
      "can't be changed, which is NOT_FOUND, or removed, which is BAD_REQUEST: %s",
    ],
    [
      "A fragment may have slashes.",
      views,
      "is named in a path with its slashes, or with slashes that are written as %2F",
    ],
  ],
  E8: [
    [
      "The report goes to the channel for it.",
      reports,
      "a report names the reporter, the sender and the reason, and quotes the whole message",
    ],
    ["Without a channel it is BAD_REQUEST.", reports, "a report needs a channel to go to"],
    [
      "`other` needs a description.",
      reports,
      "another reason needs an explanation of at most a thousand characters",
    ],
  ],
  E9: [
    ["Title and text change alone or together.", snippets, "is edited in part, and keeps what is not given"],
    [
      "An unknown ID is BAD_REQUEST.",
      snippets,
      "of another person, another organization or nobody can't be edited or deleted",
    ],
  ],
  E10: [
    ["The record has the fields of the rules.", users, "has the fields of the specification, and no others"],
    ["Only people have `profile_data`.", users, "of a bot has no profile"],
  ],
  E11: [
    [
      "In development an address gives the key.",
      signIn,
      "on a development server the email address alone gives the key",
    ],
    ["In production it is an error.", signIn, "on a production server there is no key without a password"],
  ],
  E12: [
    ["Bots can be muted.", mutedUsers, "works for bots, and for several people"],
    [
      "Oneself, unknown and muted users are refused.",
      mutedUsers,
      "is refused for oneself, for unknown users and twice, and unmuting for unmuted people",
    ],
    [
      "All earlier messages become read.",
      mutedUsers,
      "marks all their earlier messages as read, and nothing else",
    ],
    [
      "New messages are read on arrival.",
      mutedUsers,
      "is read from the start for people who muted the sender, in channels and conversations",
    ],
  ],
  E13: [
    ["Everybody else may leave.", deactivatePerson, "works for everyone who is not the last"],
    ["The only owner may not.", deactivatePerson, "is refused to the only owner"],
    ["The only user may not.", deactivatePerson, "is refused to the only user, and that error comes first"],
  ],
  E14: [
    [
      "An unknown group is BAD_REQUEST.",
      rules,
      "an unknown group can be neither deactivated nor deleted (spec E14, E19)",
    ],
    [
      "A group in use stays, and `objections` list the uses.",
      deactivateGroup,
      "a group in use can't be deactivated or deleted, and the error names the uses",
    ],
    [
      "A deactivated group gives no permission.",
      deactivateGroup,
      "gives nobody a permission until it is reactivated",
    ],
    ["It can't be mentioned.", deactivateGroup, "can't be mentioned"],
    [
      "It can be renamed and reactivated.",
      deactivateGroup,
      "can be changed, and reactivated by the same request",
    ],
  ],
  E15: [
    ["A token is removed, with an empty reply.", devices, "are kept and removed for one person (spec E15)"],
    [
      "A token that does not exist is BAD_REQUEST.",
      devices,
      "that are unknown or another person's can't be removed (spec E15)",
    ],
    [
      "An empty token and one of an invalid length are BAD_REQUEST.",
      devices,
      "are refused if they are empty, too long or no tokens (spec E15)",
    ],
  ],
  E16: [
    [
      "Only administrators order folders.",
      folders,
      "administrators make, change and order folders, and everyone sees them",
    ],
    [
      "The order names every folder, archived ones too.",
      folders,
      "must name each folder once, archived folders too",
    ],
  ],
  E17: [
    [
      "All fields are listed.",
      fields,
      "is listed for everybody, after the others, and comes in the first state",
    ],
    [
      "Pronouns have no `field_data` there.",
      fields,
      "of pronouns has no field_data in the listing, and an empty one elsewhere",
    ],
  ],
  E18: [
    [
      "An unknown view is BAD_REQUEST.",
      views,
      "can't be changed, which is NOT_FOUND, or removed, which is BAD_REQUEST: %s",
    ],
  ],
  E19: [
    [
      "An unknown group is BAD_REQUEST.",
      rules,
      "an unknown group can be neither deactivated nor deleted (spec E14, E19)",
    ],
    [
      "A deactivated group can be deleted.",
      deactivateGroup,
      "can't be deactivated again, but can be deleted",
    ],
    [
      "A deleted group's name is free.",
      deactivateGroup,
      "deleting a group frees its name, and its subgroups can then be deactivated",
    ],
  ],
  E20: [
    [
      "`apply_markdown` chooses HTML.",
      rules,
      "a queue's events have Markdown or HTML, as the client asked (spec E20)",
    ],
    ["Without an account two parameters can't be true.", rules, "may not set %s to true"],
    [
      "`fetch_event_types` chooses the parts.",
      keys,
      "a client that asks for one part gets its fields and no others (spec E20)",
    ],
    [
      "Without it, `event_types` does.",
      keys,
      "without `fetch_event_types`, the types of events choose the parts (spec E20)",
    ],
    [
      "Without both, everything comes.",
      keys,
      "a client that names no parts gets all fields of the feature level (spec E20)",
    ],
    [
      "Unknown types are ignored.",
      `${features}real-time/handlers.test.ts`,
      "a queue keeps no unknown event types and capabilities",
    ],
    [
      "The snapshot and the queue are of one moment.",
      "test/replay/organization-lists.test.ts",
      "the lists of the first state follow the events also in a stream of changes at the same time",
    ],
    [
      "`include_subscribers` has three forms.",
      snapshot,
      "list subscribers in the form that the client asked for",
    ],
    [
      "A partial list has bots and active people.",
      `${features}channels/history/recently-active.test.ts`,
      "a partial list of 250 subscribers or more names the bots and the people active in the last 14 days",
    ],
    [
      "`client_gravatar` leaves pictures out.",
      `${features}users/actions.test.ts`,
      "a new user is sent with a picture, except to clients that compute it",
    ],
    [
      "`slim_presence` keys presence by ID.",
      presence,
      "has presence by id for modern clients and by email for others",
    ],
    ["`narrow` filters messages.", narrow, "a queue's narrow lets through"],
    [
      "`all_public_streams` adds public channels.",
      narrow,
      "an all-public listener gets public channels, and no private one",
    ],
    [
      "Without an account there is no queue.",
      organization,
      "a client without an account gets the organization, but nobody in it",
    ],
  ],
  E21: [
    ["Muting is undone.", mutedUsers, "reaches only the user's own clients, and so does unmuting"],
    [
      "Events stay until they are acknowledged.",
      queues,
      "gets all pending events, again and again until a later poll acknowledges them",
    ],
    [
      "Messages are fetched by anchor and narrow.",
      `${features}messages/query/page/page.test.ts`,
      "a page holds exactly what the model says, at any anchor and for any narrow",
    ],
    [
      "Flags change on a narrow.",
      `${features}flags/narrow-change.test.ts`,
      "returns which messages were processed, how many changed, and whether the ends were reached",
    ],
    [
      "A picture has an address by whom it shows.",
      `${features}avatars/avatars.test.ts`,
      "redirects to it, by ID and by email address, in both sizes",
    ],
    [
      "Administrators deactivate others.",
      deactivatePerson,
      "is refused to all but administrators, and nothing happens",
    ],
  ],
  E22: [
    [
      "The documented path answers with an example.",
      "server/features/webhooks/outgoing/handlers.test.ts",
      "the documented address, and the older one, show everybody with an account the fields of a call",
    ],
    [
      "A mention calls the bot's program, with these fields.",
      webhooks,
      "calls its program with the fields of E22",
    ],
    [
      "So does a direct message.",
      webhooks,
      "calls its program, and the reply goes to everybody in the conversation",
    ],
  ],
  E23: [
    [
      "The reply has the fields of the rules.",
      "test/e2e/zulip-js-functions.test.ts",
      "each of the 35 functions of zulip-js gets the whole reply that it is made for",
    ],
    [
      "It needs no credentials.",
      serverSettings,
      "a client can read the server settings before anybody signs in",
    ],
    [
      "Public access needs server and organization.",
      serverSettings,
      "public access is on if both the server and the organization allow it",
    ],
    [
      "Each host name is an organization.",
      serverSettings,
      "each host name gives its own organization, and an unknown host name gives none",
    ],
  ],
  "Authentication 1": [
    ["Without credentials the answer is 401.", http, "without credentials the answer asks for them"],
  ],
  "Authentication 2": [
    [
      "Spectators need public access.",
      http,
      "a caller without an account may call only where public access is on",
    ],
  ],
  "Authentication 3": [
    ["Production has no such keys.", http, "endpoints for development are off in production"],
  ],
  "Authentication 4": [
    [
      "Each role calls what it may.",
      "test/contract/bad-inputs.test.ts",
      "%s is refused to %s, whose role is too low",
    ],
  ],
  "Events 1": [["A poll is held until there is an event.", queues, "is held until an event arrives"]],
  "Events 2": [
    [
      "A heartbeat comes within a minute.",
      queues,
      "a poll without events gets a heartbeat after 45 to 55 seconds, with an id of its own",
    ],
    [
      "A queue that is not polled is discarded.",
      queues,
      "a queue that is not polled is discarded after its lifespan, one with a held poll is not",
    ],
  ],
  "Events 4": [
    [
      "The queue that sent gets `local_id`.",
      "test/replay/messages.test.ts",
      "reaches the queue that it was sent from with the sender's local id",
    ],
  ],
  "Events 5": [
    [
      "Clients that know deactivated groups get an update.",
      "test/replay/groups.test.ts",
      "is sent as a change to clients that know deactivated groups",
    ],
    [
      "Other clients get a removal.",
      "test/replay/groups.test.ts",
      "is removed and added again for other clients",
    ],
  ],
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
