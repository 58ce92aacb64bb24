/**
 * Every error that the API can return: its code, HTTP status, message and extra fields (spec Errors).
 * Throw `new ApiError(errors.emptyMessage)`; only the HTTP edge catches it. Clients tell errors apart by code
 * and status, never by the message.
 */

import { organizationErrors } from "./administration/organization-errors.ts";
import { channelErrors } from "./channels/channel-errors.ts";
import { allFields, bad, declare, type ErrorDeclaration, named } from "./error-declaration.ts";
import { messageErrors } from "./messages/message-errors.ts";
import { requestErrors } from "./request-errors.ts";

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

export const errors = named({
  ...requestErrors,

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

  ...messageErrors,
  ...channelErrors,

  // Scheduled messages and reminders.
  scheduledMessageDoesNotExist: declare<never>("BAD_REQUEST", 404, "Scheduled message does not exist"),
  deliveryTimeNotInFuture: bad("Scheduled delivery time must be in the future."),
  deliveryTimeTooFar: bad<{ years: number }>(
    ({ years }) => `Scheduled delivery time must be within the next ${years} years.`,
  ),
  deliveryTooLate: bad("The server could not send it in time."),
  tooManyScheduledMessages: bad<{ limit: number }>(
    ({ limit }) => `You can have at most ${limit} scheduled messages.`,
  ),
  reminderDoesNotExist: declare<never>("BAD_REQUEST", 404, "Reminder does not exist"),
  tooManyReminders: bad<{ limit: number }>(({ limit }) => `You can have at most ${limit} reminders.`),
  recipientRequiredForType: bad("Recipient required when updating type of scheduled message."),
  topicRequiredForType: bad("Topic required when updating scheduled message type to channel."),

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
  targetDeactivated: bad("User is deactivated"),
  botOwnerDeactivated: bad("The owner of the bot is deactivated"),
  accountErased: bad("The account was erased. It can't be used or changed any more."),
  onlyOwnerStays: bad("Cannot deactivate the only organization owner"),
  onlyOwnerKeepsRole: bad("The owner permission cannot be removed from the only organization owner."),
  emailChangeNotAllowed: bad("User not authorized to change user emails"),
  cannotMuteSelf: bad("Cannot mute self"),
  userAlreadyMuted: bad("User already muted"),
  userNotMuted: bad("User is not muted"),
  personalLimit: bad<{ what: string; limit: number }>(
    ({ what, limit }) => `One person can have at most ${limit} ${what}.`,
  ),
  blank: bad<{ name: string }>(({ name }) => `${name} can't be blank`),
  snippetDoesNotExist: declare<never>("BAD_REQUEST", 404, "Saved snippet does not exist."),
  viewAlreadyExists: bad("Navigation view already exists."),
  builtInViewName: bad("Built-in views can't have a name."),
  customViewName: bad("A view that is not built in must have a name."),
  viewNotFound: declare<never>("NOT_FOUND", 404, "Navigation view does not exist."),
  viewDoesNotExist: declare<never>("BAD_REQUEST", 404, "Navigation view does not exist."),
  draftsDisabled: bad("User has disabled synchronizing drafts."),
  draftDoesNotExist: declare<never>("BAD_REQUEST", 404, "Draft does not exist"),
  unknownOnboardingStep: bad<{ name: string }>(({ name }) => `Unknown onboarding_step: ${name}`),
  noNewStatus: bad("Client did not pass any new values."),
  statusEmojiNotNamed: bad("Give 'emoji_name' with 'emoji_code' or 'reaction_type'."),
  botsNotAccepted: bad("This endpoint does not accept bot requests."),
  invalidPresenceStatus: bad<{ status: string }>(({ status }) => `Invalid status: ${status}`),
  noPresenceOfBots: bad("Presence is not supported for bot users."),
  noPresenceData: bad<{ who: string }>(({ who }) => `No presence data for ${who}`),
  tooManyAlertWords: bad<{ limit: number }>(({ limit }) => `There can be at most ${limit} alert words.`),
  emailTaken: bad<{ email: string }>(({ email }) => `Email '${email}' already in use`),
  cannotDeactivateLastUser: declare<{ entity: string; isLastOwner: boolean }>(
    "CANNOT_DEACTIVATE_LAST_USER",
    400,
    ({ entity }) => `Cannot deactivate the only ${entity}.`,
    ({ entity, isLastOwner }) => ({ entity, is_last_owner: isLastOwner }),
  ),
  emailChangesDisabled: bad("Email address changes are disabled in this organization."),
  mailNeededForEmail: bad("This server can't send mail, so it can't confirm an email address."),
  wrongPassword: bad("Wrong password!"),
  nameTaken: bad<{ name: string }>(({ name }) => `The name '${name}' is already in use`),
  invalidEmail: bad("Invalid email address."),
  invalidFullName: bad("Invalid format!"),
  fullNameLength: bad("A person's name must have 2 to 100 characters."),
  weakPassword: bad("The password is too short or too easy to guess."),
  passwordLength: bad<{ min: number; max: number }>(
    ({ min, max }) => `A password must have ${min} to ${max} characters.`,
  ),

  // Custom profile fields.
  profileFieldNotFound: bad<{ id: number }>(({ id }) => `Field id ${id} not found.`),
  profileFieldNameTaken: bad("A field with that label already exists."),
  profileFieldCharacter: bad<{ name: string; position: number }>(
    ({ name, position }) => `Invalid character in ${name}, at position ${position}.`,
  ),
  tooManyProfileFields: bad<{ limit: number }>(
    ({ limit }) => `There can be at most ${limit} custom profile fields.`,
  ),
  tooManyProfileOptions: bad<{ limit: number }>(
    ({ limit }) => `Custom profile fields can have at most ${limit} options together.`,
  ),
  selectWithoutOptions: bad("Field must have at least one choice."),
  duplicateOptions: bad("Field must not have duplicate choices."),
  invalidFieldData: bad<{ problem: string }>(({ problem }) => `Invalid field_data: ${problem}.`),
  externalAccountUnknown: bad("Invalid external account type"),
  externalAccountPattern: bad<{ placeholder: string }>(
    ({ placeholder }) => `url_pattern must be an http or https address with one ${placeholder}.`,
  ),
  summaryFieldType: bad("Field type not supported for display in profile summary."),
  tooManySummaryFields: bad<{ limit: number }>(
    ({ limit }) => `Only ${limit} custom profile fields can be displayed in the profile summary.`,
  ),
  invalidFieldOrder: bad("Invalid order mapping."),
  invalidProfileValue: bad<{ name: string; expected: string }>(
    ({ name, expected }) => `The value of '${name}' must be ${expected}.`,
  ),
  profileFieldNotEditable: bad(
    "You are not allowed to change this field. Contact an administrator to update it.",
  ),
  noProfileDataOfBots: bad("Bots can't have values of custom profile fields."),

  // Mobile devices.
  deviceTokenLength: bad("Empty or invalid length token"),
  invalidApnsToken: bad("Invalid APNS token"),
  invalidAppId: bad("appid has invalid characters"),
  deviceTokenDoesNotExist: bad("Token does not exist"),
  deviceNotRecognized: declare<never>("INVALID_PUSH_DEVICE_TOKEN", 400, "Device not recognized"),
  noActivePushDevice: declare<never>("NO_ACTIVE_PUSH_DEVICE", 400, "No active registered push device"),
  pushServiceNotConfigured: declare<never>(
    "PUSH_SERVICE_NOT_CONFIGURED",
    400,
    "Server is not configured to use push notification service.",
  ),

  // Incoming webhooks.
  unknownIntegration: declare<never>("NOT_FOUND", 404, "There is no integration with this name."),
  /** Programs take any other status for a failure, and some then stop sending. */
  unsupportedWebhookEvent: declare<{ integration: string; event: string }>(
    "UNSUPPORTED_WEBHOOK_EVENT_TYPE",
    200,
    ({ integration, event }) => `The integration '${integration}' ignores events of the type '${event}'.`,
    ({ integration, event }) => ({ webhook_name: integration, event_type: event }),
  ),
  missingEventHeader: declare<{ header: string }>(
    "MISSING_HTTP_EVENT_HEADER",
    400,
    ({ header }) => `Missing the HTTP event header '${header}'`,
    allFields,
  ),
  malformedPayload: declare<never>("INVALID_JSON", 400, "Malformed JSON"),
  anomalousPayload: declare<{ integration: string }>(
    "ANOMALOUS_WEBHOOK_PAYLOAD",
    400,
    ({ integration }) => `The payload is not of the form that '${integration}' expects for this event.`,
  ),
  webhookSecretMissing: bad("The request is signed: add the secret to the address, as 'secret'."),
  webhookSignatureMissing: bad("The address has a secret, and the request is not signed with it."),
  webhookSignatureWrong: bad("The request's signature is wrong."),

  // Organizations.
  invalidOrganizationName: bad<{ limit: number }>(
    ({ limit }) => `An organization's name must have 1 to ${limit} printable characters.`,
  ),
  invalidHost: bad<{ host: string }>(({ host }) => `'${host}' is not a host name.`),
  hostTaken: bad<{ host: string }>(
    ({ host }) => `An organization with the host name '${host}' already exists.`,
  ),

  ...organizationErrors,

  // Bots.
  noSuchBot: bad("No such bot"),
  embeddedBotsNotEnabled: bad("Embedded bots are not enabled."),
  invalidPayloadUrl: bad<{ name: string }>(
    ({ name }) => `${name} is not a web address of the form https://host/path, without a user name.`,
  ),
  noServiceToChange: bad("Only an outgoing webhook bot has an address that the server calls."),
  noSuchNewOwner: bad("Failed to change owner, no such user"),
  newOwnerDeactivated: bad("Failed to change owner, user is deactivated"),
  newOwnerIsBot: bad("Failed to change owner, bots can't own other bots"),
  tooMuchBotConfig: bad<{ limit: number }>(({ limit }) => `A bot can have at most ${limit} settings.`),
  onlyForBots: bad("This endpoint is for bots only."),
  noStorageKey: bad("Key does not exist."),
  botStorageFull: bad("The bot's storage has no room for this."),

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
