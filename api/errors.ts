/**
 * Every error that the API can return: its code, HTTP status, message and extra fields (spec Errors).
 * Throw `new ApiError(errors.emptyMessage)`; only the HTTP edge catches it. Clients tell errors apart by code
 * and status, never by the message.
 */
import { bad, declare, type ErrorDeclaration, named, unauthorized } from "./error-declaration.ts";

export class ApiError<D = never> extends Error {
  readonly declaration: ErrorDeclaration<D>;
  readonly data: D;

  constructor(declaration: ErrorDeclaration<D>, ...data: [D] extends [never] ? [] : [D]) {
    const value = data[0] as D;
    super(declaration.message(value));
    this.name = "ApiError";
    this.declaration = declaration;
    this.data = value;
  }

  get fields(): Record<string, unknown> {
    return this.declaration.fields?.(this.data) ?? {};
  }
}

const allFields = <D extends Record<string, unknown>>(data: D) => data;

export const errors = named({
  // Any endpoint: the request itself.
  missingParameter: declare<{ name: string }>(
    "REQUEST_VARIABLE_MISSING",
    400,
    ({ name }) => `Missing '${name}' argument`,
    ({ name }) => ({ var_name: name }),
  ),
  invalidParameter: declare<{ name: string; value: string }>(
    "REQUEST_VARIABLE_INVALID",
    400,
    ({ name, value }) => `Bad value for '${name}': ${value}`,
    ({ name, value }) => ({ var_name: name, bad_value: value }),
  ),
  conflictingParameters: declare<{ first: string; second: string }>(
    "REQUEST_CONFUSING_VAR",
    400,
    ({ first, second }) => `Give '${first}' or '${second}', not both`,
    ({ first, second }) => ({ var_name1: first, var_name2: second }),
  ),
  notJson: bad<{ name: string }>(({ name }) => `Argument "${name}" is not valid JSON.`),
  wrongType: bad<{ name: string; expected: string }>(({ name, expected }) => `${name} is not ${expected}`),
  tooLong: bad<{ name: string; limit: number }>(
    ({ name, limit }) => `${name} is too long (limit: ${limit} characters)`,
  ),
  nulCharacter: bad<{ name: string }>(({ name }) => `${name} contains a NUL character`),
  unreadableBody: bad("The request's body could not be read."),
  notFound: declare<never>("NOT_FOUND", 404, "There is no endpoint or page at this address."),
  unknownHost: declare<{ host: string }>(
    "NONEXISTENT_SUBDOMAIN",
    404,
    ({ host }) => `No organization is served under the host name '${host}'.`,
  ),
  methodNotAllowed: declare<{ allowed: string[] }>(undefined, 405, "Method Not Allowed", ({ allowed }) => ({
    allowed_methods: allowed,
  })),
  bodyTooLarge: declare<never>("BAD_REQUEST", 413, "The request's body is too large."),
  addressTooLong: declare<never>("BAD_REQUEST", 414, "The request's address is too long."),
  requestTimeout: declare<never>("BAD_REQUEST", 408, "The request did not arrive in time."),
  headersTooLarge: declare<never>("BAD_REQUEST", 431, "The request's headers are too large."),
  invalidHttp: bad("The request is not valid HTTP."),
  rateLimitHit: declare<{ retryAfter: number }>(
    "RATE_LIMIT_HIT",
    429,
    "API usage exceeded rate limit",
    ({ retryAfter }) => ({ "retry-after": retryAfter }),
  ),
  tooManyBodies: declare<never>(
    "SERVER_NOT_READY",
    503,
    "The server is receiving too much at once; try again shortly.",
  ),
  overQuota: bad<{ what: string; limit: number }>(
    ({ what, limit }) => `One person can make at most ${limit} ${what} an hour.`,
  ),
  internal: declare<never>(undefined, 500, "Internal server error"),
  shuttingDown: declare<never>("SERVER_NOT_READY", 503, "The server is stopping; try again shortly."),
  databaseAway: declare<never>(
    "SERVER_NOT_READY",
    503,
    "The server can't reach its database; try again shortly.",
  ),
  outcomeUnknown: declare<never>(
    undefined,
    500,
    "The server lost its database meanwhile; this may have been done or not, so look before you try again.",
  ),
  serverBusy: declare<never>(
    "SERVER_NOT_READY",
    503,
    "The server is too busy to do this now; nothing was changed, so try again shortly.",
  ),

  // Any endpoint: who is calling.
  notLoggedIn: unauthorized("Not logged in: API authentication or user session required"),
  basicAuthRequired: bad("This endpoint requires HTTP basic authentication."),
  invalidAuthorization: unauthorized("Invalid authorization header for basic auth"),
  crossSiteCredentials: unauthorized("Credentials are not accepted in requests from other sites"),
  malformedApiKey: unauthorized("Malformed API key"),
  invalidApiKey: unauthorized("Invalid API key"),
  accountDeactivated: unauthorized("Account is deactivated"),
  organizationDeactivated: unauthorized("This organization has been deactivated"),
  insufficientPermission: bad("Insufficient permission"),
  mustBeAdministrator: declare<never>("UNAUTHORIZED_PRINCIPAL", 400, "Must be an organization administrator"),
  mustBeOwner: declare<never>("UNAUTHORIZED_PRINCIPAL", 400, "Must be an organization owner"),
  mustBeMember: declare<never>("UNAUTHORIZED_PRINCIPAL", 400, "Must be an organization member"),

  // Signing in.
  authenticationFailed: declare<never>(
    "AUTHENTICATION_FAILED",
    401,
    "Your username or password is incorrect",
  ),
  userDeactivated: declare<never>("USER_DEACTIVATED", 401, "Your account has been deactivated"),
  passwordAuthDisabled: declare<never>(
    "PASSWORD_AUTH_DISABLED",
    401,
    "Password sign-in is disabled in this organization",
  ),
  usernameNotEmail: bad("Enter a valid email address."),
  developmentOnly: bad("This endpoint is only available on a development server."),

  // Event queues (spec Events).
  badEventQueue: declare<{ queueId: string }>(
    "BAD_EVENT_QUEUE_ID",
    400,
    ({ queueId }) => `Bad event queue ID: ${queueId}`,
    ({ queueId }) => ({ queue_id: queueId }),
  ),
  eventPruned: bad<{ id: number }>(({ id }) => `An event newer than ${id} has already been pruned!`),
  eventNotInQueue: bad<{ id: number }>(({ id }) => `Event ${id} was not in this queue`),
  missingNullCapability: bad("client_capabilities must name notification_settings_null"),
  queryNotAuthorized: bad("User not authorized for this query"),
  eventNarrowOperator: bad<{ operator: string }>(({ operator }) => `Operator ${operator} not supported.`),
  narrowTooLong: bad<{ limit: number }>(({ limit }) => `narrow is too long (limit: ${limit} bytes)`),
  spectatorSubscribers: bad("include_subscribers is not available without an account"),
  spectatorGravatar: bad("client_gravatar is not available without an account"),

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
  missingTopic: declare<never>("REQUEST_VARIABLE_MISSING", 400, "Missing 'topic' argument", () => ({
    var_name: "topic",
  })),
  topicRequired: bad("Topics are required in this organization."),
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

  // Channels.
  invalidChannelId: bad("Invalid channel ID"),
  channelsDoNotExist: bad<{ names: string }>(({ names }) => `Channel(s) (${names}) do not exist`),
  unableToAccessChannel: bad<{ name: string }>(({ name }) => `Unable to access channel (${name}).`),
  emptyChannelName: bad("Channel name can't be empty."),
  channelNameCharacter: bad<{ position: number }>(
    ({ position }) => `Invalid character in channel name, at position ${position}.`,
  ),
  channelNameTooLong: bad<{ limit: number }>(
    ({ limit }) => `Channel name too long (limit: ${limit} characters).`,
  ),
  channelNameTaken: bad<{ name: string }>(({ name }) => `Channel name '${name}' is already taken.`),
  channelAlreadyExists: declare<{ name: string }>(
    "CHANNEL_ALREADY_EXISTS",
    409,
    ({ name }) => `A channel named '${name}' already exists.`,
  ),
  noChannelOfThatName: bad<{ name: string }>(({ name }) => `Invalid channel name '${name}'`),
  notSubscribed: bad<{ id: number }>(({ id }) => `You are not subscribed to channel ${id}.`),
  nothingToChange: bad("Nothing to do: give 'add' or 'delete'."),
  noDefaultGroup: bad<{ id: number }>(({ id }) => `There is no group of default channels with the ID ${id}.`),
  nothingToChangeInDefaultGroup: bad("Give 'new_group_name' or 'new_description'."),
  defaultGroupName: bad<{ limit: number }>(
    ({ limit }) => `The name of a group of default channels must have 1 to ${limit} printable characters.`,
  ),
  defaultGroupNameTaken: bad<{ name: string }>(
    ({ name }) => `A group of default channels named '${name}' already exists.`,
  ),
  channelIsDefault: bad<{ name: string }>(({ name }) => `Channel '${name}' is already a default channel.`),
  channelInDefaultGroup: bad<{ channel: string; group: string }>(
    ({ channel, group }) => `Channel '${channel}' is already in '${group}'.`,
  ),
  channelNotInDefaultGroup: bad<{ channel: string; group: string }>(
    ({ channel, group }) => `Channel '${channel}' is not in '${group}'.`,
  ),
  invalidPrincipal: bad("One of the principals is not an active user of this organization."),
  invalidChannelPrivacy: bad("Invalid parameters"),
  privateDefaultChannel: bad("A default channel cannot be private."),
  webPublicNotEnabled: bad("Web-public channels are not enabled."),
  cannotAdministerChannel: declare<never>(
    "CANNOT_ADMINISTER_CHANNEL",
    400,
    "You do not have permission to administer this channel.",
  ),
  contentAccessRequired: bad("You must be able to read the channel to change its permissions."),
  channelNameUnchanged: bad("Channel already has that name!"),
  channelHasNamedTopics: bad("The channel has messages in named topics."),
  archivedDefaultChannel: bad("A default channel cannot be archived."),
  cannotArchiveByUpdate: bad("To archive a channel, delete it; 'is_archived' can only be false here."),
  channelNotArchived: bad("The channel is not archived."),
  channelAlreadyArchived: bad("The channel is already archived."),
  invalidFolder: bad("Invalid channel folder ID"),
  emptyFolderName: bad("A channel folder must have a name."),
  folderNameCharacter: bad<{ position: number }>(
    ({ position }) => `Invalid character in channel folder name, at position ${position}.`,
  ),
  folderNameTaken: bad("Channel folder name already in use"),
  folderNotEmpty: bad("A channel folder that has channels can't be archived."),
  invalidFolderOrder: bad("The order must name each of the organization's channel folders once."),
  invalidGroup: bad("Invalid user group"),

  // Groups.
  groupDeactivated: bad("The user group is deactivated."),
  groupNameTaken: bad<{ name: string }>(({ name }) => `User group '${name}' already exists.`),
  groupNameLength: bad<{ limit: number }>(
    ({ limit }) => `A user group's name must have 1 to ${limit} printable characters.`,
  ),
  groupNamePrefix: bad<{ prefix: string }>(
    ({ prefix }) => `A user group's name can't begin with '${prefix}'.`,
  ),
  groupDeactivationElsewhere: bad(
    "'deactivated' can only be false here; a separate endpoint deactivates groups.",
  ),
  nothingToChangeInGroup: bad("Nothing to change: give a property of the user group."),
  noMembersGiven: bad("Nothing to do: name members or subgroups to add or delete."),
  alreadyMember: bad<{ id: number }>(({ id }) => `User ${id} is already a member of this group.`),
  notMember: bad<{ id: number }>(({ id }) => `User ${id} is not a member of this user group.`),
  alreadySubgroup: bad<{ id: number }>(({ id }) => `User group ${id} is already a subgroup of this group.`),
  notSubgroup: bad<{ id: number }>(({ id }) => `User group ${id} is not a subgroup of this group.`),
  subgroupCycle: bad<{ id: number }>(({ id }) => `User group ${id} is this group or contains it.`),
  groupMentionNotAllowed: bad<{ name: string }>(
    ({ name }) => `You are not allowed to mention user group '${name}'.`,
  ),
  cannotDeactivateGroupInUse: declare<{ objections: readonly object[] }>(
    "CANNOT_DEACTIVATE_GROUP_IN_USE",
    400,
    "The user group is in use and can't be deactivated or deleted.",
    ({ objections }) => ({ objections }),
  ),

  // People.
  noSuchUser: bad("No such user"),
  cannotMuteSelf: bad("Cannot mute self"),
  userAlreadyMuted: bad("User already muted"),
  userNotMuted: bad("User is not muted"),
  tooManyAlertWords: bad<{ limit: number }>(({ limit }) => `There can be at most ${limit} alert words.`),
  emailTaken: bad<{ email: string }>(({ email }) => `Email '${email}' already in use`),
  cannotDeactivateLastUser: declare<{ entity: string; isLastOwner: boolean }>(
    "CANNOT_DEACTIVATE_LAST_USER",
    400,
    ({ entity }) => `Cannot deactivate the only ${entity}.`,
    ({ entity, isLastOwner }) => ({ entity, is_last_owner: isLastOwner }),
  ),
  nameTaken: bad<{ name: string }>(({ name }) => `The name '${name}' is already in use`),
  invalidEmail: bad("Invalid email address."),
  invalidFullName: bad("Invalid format!"),
  fullNameLength: bad("A person's name must have 2 to 100 characters."),
  weakPassword: bad("The password is too short or too easy to guess."),
  passwordLength: bad<{ min: number; max: number }>(
    ({ min, max }) => `A password must have ${min} to ${max} characters.`,
  ),

  // Organizations.
  invalidOrganizationName: bad<{ limit: number }>(
    ({ limit }) => `An organization's name must have 1 to ${limit} printable characters.`,
  ),
  invalidHost: bad<{ host: string }>(({ host }) => `'${host}' is not a host name.`),
  hostTaken: bad<{ host: string }>(
    ({ host }) => `An organization with the host name '${host}' already exists.`,
  ),

  // Typing.
  emptyTo: bad("Empty 'to' list"),
  missingStreamId: declare<never>("REQUEST_VARIABLE_MISSING", 400, "Missing 'stream_id' argument", () => ({
    var_name: "stream_id",
  })),
  typingDisabled: bad<{ what: string }>(({ what }) => `User has disabled typing notifications for ${what}`),

  // Settings.
  expectationMismatch: declare<never>(
    "EXPECTATION_MISMATCH",
    400,
    "'old' value does not match the expected value.",
  ),
  tooManyTopicPolicies: bad<{ limit: number }>(
    ({ limit }) => `You can mute, unmute or follow at most ${limit} topics.`,
  ),
  invalidSettingValue: bad<{ name: string }>(({ name }) => `Invalid value for '${name}'`),
  settingGroupNotAllowed: bad<{ name: string; group: string }>(
    ({ name, group }) => `'${name}' setting cannot be set to '${group}' group.`,
  ),
  systemGroupRequired: declare<{ setting_name: string }>(
    "SYSTEM_GROUP_REQUIRED",
    400,
    ({ setting_name }) => `'${setting_name}' must be a system user group.`,
    allFields,
  ),
});
