/** What is stated of messages, their flags and the texts that people keep. */
import type { Statement } from "./statement.ts";
import {
  edits,
  flags,
  mentions,
  policies,
  reports,
  rules,
  send,
  snippets,
  topicsPolicy,
} from "./test-files.ts";

export const messages: Readonly<Record<string, readonly Statement[]>> = {
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
};
