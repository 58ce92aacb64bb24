/** The errors of sending, changing and reading messages. Part of `errors`. */
import { allFields, bad, declare } from "../error-declaration.ts";

export const messageErrors = {
  // Messages.
  emptyMessage: bad("Message must not be empty"),
  noRecipients: bad("Message must have recipients"),
  tooManyRecipients: bad<{ limit: number }>(
    ({ limit }) => `A direct message can have at most ${limit} recipients`,
  ),
  mixedRecipients: bad("Recipients must be all user IDs or all email addresses"),
  oneChannel: bad("Expected exactly one channel"),
  invalidRecipientEmail: bad<{ email: string }>(({ email }) => `Invalid email '${email}'`),
  invalidRecipientId: bad<{ id: number }>(({ id }) => `Invalid user ID ${id}`),
  recipientDeactivated: bad<{ email: string }>(({ email }) => `'${email}' no longer uses this server.`),
  queueIdNeedsLocalId: bad("'queue_id' requires 'local_id'"),
  channelDoesNotExist: declare<{ stream: string }>(
    "STREAM_DOES_NOT_EXIST",
    400,
    ({ stream }) => `Channel '${stream}' does not exist`,
    allFields,
  ),
  channelIdDoesNotExist: declare<{ stream_id: number }>(
    "STREAM_DOES_NOT_EXIST",
    400,
    ({ stream_id }) => `Channel with ID '${stream_id}' does not exist`,
    allFields,
  ),
  notAuthorizedToSend: bad<{ name: string }>(({ name }) => `Not authorized to send to channel '${name}'`),
  postingDenied: bad("You do not have permission to post in this channel."),
  missingRecipient: declare<never>("REQUEST_VARIABLE_MISSING", 400, "Missing 'to' argument", () => ({
    var_name: "to",
  })),
  missingTopic: declare<never>("REQUEST_VARIABLE_MISSING", 400, "Missing 'topic' argument", () => ({
    var_name: "topic",
  })),
  topicRequired: bad("Topics are required in this organization."),
  emptyTopicResolved: bad("The topic without a name can't be resolved. Give it a name first."),
  topicNotAllowed: bad("Only the empty topic is allowed in this channel."),
  topicCharacter: bad<{ position: number }>(
    ({ position }) => `Invalid character in topic, at position ${position}!`,
  ),
  channelWildcardNotAllowed: declare<never>(
    "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
    400,
    "You do not have permission to mention everyone in this channel.",
  ),
  topicWildcardNotAllowed: declare<never>(
    "TOPIC_WILDCARD_MENTION_NOT_ALLOWED",
    400,
    "You do not have permission to mention everyone in this topic.",
  ),
  invalidMessage: bad("Invalid message(s)"),
  nothingToEdit: bad("Nothing to change"),
  propagationWithoutMove: bad("Invalid propagate_mode without topic edit"),
  contentAndChannel: bad("Cannot change message content while changing channel"),
  directMessageTopic: bad("Direct messages cannot have topics."),
  directMessageMove: bad("Direct messages cannot be moved to channels."),
  editingDisabled: bad("Your organization has turned off message editing"),
  editingNotAllowed: bad("You don't have permission to edit this message"),
  editingTooLate: bad("The time limit for editing this message has passed"),
  widgetNotEditable: bad("Polls and lists of tasks cannot be edited."),
  notInteractive: bad("The message is not a poll or a list of tasks."),
  wrongWidgetAction: bad<{ action: string }>(
    ({ action }) => `The action '${action}' does not apply to this kind of message.`,
  ),
  widgetAuthorOnly: bad("Only the sender can change the question or title."),
  tooManySubmessages: bad<{ limit: number }>(({ limit }) => `A message has at most ${limit} additions.`),
  contentChanged: declare<never>(
    "EXPECTATION_MISMATCH",
    400,
    "The message's text has changed in the meantime.",
  ),
  movingNotAllowed: bad("You don't have permission to move this message"),
  resolvingNotAllowed: bad("You don't have permission to resolve topics."),
  movingTooLate: bad("The time limit for moving this message has passed"),
  moveTimeLimit: declare<{
    first_message_id_allowed_to_move: number;
    total_messages_in_topic: number;
    total_messages_allowed_to_move: number;
  }>(
    "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
    400,
    (data) =>
      `You may still move ${data.total_messages_allowed_to_move} of the topic's ${data.total_messages_in_topic} messages.`,
    ({ first_message_id_allowed_to_move, total_messages_in_topic, total_messages_allowed_to_move }) => ({
      first_message_id_allowed_to_move,
      total_messages_in_topic,
      total_messages_allowed_to_move,
    }),
  ),
  readReceiptsDisabled: bad("Read receipts are disabled in this organization."),
  reportingNotEnabled: bad("This organization has no channel for reports of messages."),
  moderationChannelNotPrivate: bad("The channel for reports of messages must be private."),
  reportNeedsDescription: bad("An explanation is required."),
  reportTooLong: bad("The description of a report can have at most 1000 characters."),
  historyDisabled: bad("Message edit history is disabled in this organization"),
  deletingNotAllowed: bad("You don't have permission to delete this message"),
  deletingTooLate: bad("The time limit for deleting this message has passed"),
  emojiDoesNotExist: bad<{ name: string }>(({ name }) => `Emoji '${name}' does not exist`),
  invalidEmojiCode: bad("The emoji's name and code do not match."),
  emojiNotNamed: bad("Give 'emoji_name' or 'emoji_code'."),
  reactionAlreadyExists: declare<never>("REACTION_ALREADY_EXISTS", 400, "Reaction already exists."),
  reactionDoesNotExist: declare<never>("REACTION_DOES_NOT_EXIST", 400, "Reaction doesn't exist."),
  directMessagesNotAllowed: bad("You do not have permission to send direct messages to this recipient."),

  // Reading.
  badNarrow: declare<{ desc: string }>(
    "BAD_NARROW",
    400,
    ({ desc }) => `Invalid narrow operator: ${desc}`,
    allFields,
  ),
  tooManyMessages: bad<{ limit: number }>(({ limit }) => `Too many messages requested (maximum ${limit}).`),
  anchorExcluded: bad("The anchor can only be excluded at an end of the range"),
  missingAnchor: bad("Missing 'anchor' argument."),
  invalidAnchor: bad("Invalid anchor"),
  invalidAnchorDate: bad("Invalid anchor date"),
  incompatibleParameters: bad<{ first: string; second: string }>(
    ({ first, second }) => `'${first}' and '${second}' can't be given together`,
  ),
  invalidFlag: bad<{ flag: string }>(({ flag }) => `Invalid flag: '${flag}'`),
  flagNotEditable: bad<{ flag: string }>(({ flag }) => `Flag not editable: '${flag}'`),
  invalidFlagOperation: bad<{ op: string }>(({ op }) => `Invalid message flag operation: '${op}'`),
  noSuchTopic: bad<{ topic: string }>(({ topic }) => `No such topic '${topic}'`),
};
