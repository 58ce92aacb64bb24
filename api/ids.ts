/**
 * Branded numbers: an id of one kind can't be passed where another is meant. On the wire each is a plain
 * integer.
 */
type Brand<Name extends string> = number & { readonly __brand: Name };

export type OrganizationId = Brand<"organization">;
export type UserId = Brand<"user">;
export type GroupId = Brand<"group">;
export type FolderId = Brand<"folder">;
export type ProfileFieldId = Brand<"profile field">;
export type TopicId = Brand<"topic">;
export type InvitationId = Brand<"invitation">;
export type ReminderId = Brand<"reminder">;
export type ScheduledMessageId = Brand<"scheduled message">;

/**
 * What a message is addressed to: a channel or a set of people. Both draw their ids from one sequence (spec
 * Message, `recipient_id`).
 */
export type RecipientId = number & { readonly __recipient: true };
export type ChannelId = RecipientId & { readonly __brand: "channel" };
export type ConversationId = RecipientId & { readonly __brand: "conversation" };

/** A place in an organization's log. The order of positions is the order of commits. */
export type Position = number & { readonly __position: true };
/** A message's id is the log position at which it was sent, so ids and events share one order. */
export type MessageId = Position & { readonly __brand: "message" };
