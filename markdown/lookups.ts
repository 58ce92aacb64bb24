/**
 * What a render may ask about the organization. Every answer comes from maps loaded before the parse, so that
 * rendering stays synchronous and the same in the server and in the browser.
 */
import type { Linkifier } from "./linkifier.ts";

export interface MentionedUser {
  readonly id: number;
  readonly fullName: string;
  /** A deactivated user is shown, but never notified. Absent means active. */
  readonly isActive?: boolean;
}

export interface MentionedGroup {
  readonly id: number;
  readonly name: string;
  readonly isSystem: boolean;
}

export interface LinkedChannel {
  readonly id: number;
  readonly name: string;
}

export interface CustomEmoji {
  readonly id: string;
  readonly url: string;
  readonly stillUrl?: string | null;
}

/** What is known of an uploaded image, by the path after `/user_uploads/`. */
export interface UploadedImage {
  readonly width: number;
  readonly height: number;
  readonly contentType: string;
  /** Name of the thumbnail to show, such as `840x560.webp`; null while none has been made. */
  readonly thumbnail: string | null;
  readonly isAnimated?: boolean;
  /** Name of the large thumbnail that stands in for a format browsers cannot show. */
  readonly transcoded?: string | null;
}

export interface Lookups {
  /** All active users with that full name, letter case aside. */
  userByName(name: string): readonly MentionedUser[];
  userById(id: number): MentionedUser | undefined;
  groupByName(name: string): MentionedGroup | undefined;
  channelByName(name: string): LinkedChannel | undefined;
  emojiByName?(name: string): CustomEmoji | undefined;
  /**
   * The newest message of the topic that the sender may read; makes a topic link follow the topic when it
   * moves.
   */
  latestMessageId?(channelId: number, topic: string): number | undefined;
  uploadedImage?(path: string): UploadedImage | undefined;
  /**
   * Where outside media are fetched through, so that a reader's address stays hidden. Without it: the URL
   * itself.
   */
  proxiedMediaUrl?(url: string): string;
  /**
   * The same for outside images; without it the thumbnail endpoint is named, as clients of this flavour
   * expect.
   */
  proxiedImageUrl?(url: string): string;
  readonly linkifiers?: readonly Linkifier[];
  /** The organization's URL, without a trailing slash. Links to it become relative. */
  readonly baseUrl: string;
  /** What an empty topic is called (`realm_empty_topic_display_name`). */
  readonly emptyTopicName?: string;
  /** The sender's setting: `:)` and friends become emoji. */
  readonly translateEmoticons?: boolean;
  /** Whether images, videos and sounds that are linked to are shown in place. They are unless false. */
  readonly inlinePreviews?: boolean;
  /** Language of code blocks that name none. */
  readonly defaultCodeLanguage?: string | null;
}
