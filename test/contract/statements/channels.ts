/** What is stated of channels and folders. */
import type { Statement } from "./statement.ts";
import { archive, folders, rules, subscribe, update } from "./test-files.ts";

export const channels: Readonly<Record<string, readonly Statement[]>> = {
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
      "People who change access to a private channel read it.",
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
};
