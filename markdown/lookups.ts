/**
 * Look-ups in the organization for a render. All answers come from maps that were loaded before the parse. So
 * rendering is synchronous, and gives the same result in the server and in the browser.
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

/** What a linked page says of itself. */
export interface LinkPreview {
  readonly title: string | null;
  readonly description: string | null;
  /** The original URL of its picture. */
  readonly imageUrl: string;
}

/** Facts about an uploaded image, by the path after `/user_uploads/`. */
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
  /** All active users with that full name, ignoring case. */
  userByName(name: string): readonly MentionedUser[];
  userById(id: number): MentionedUser | undefined;
  groupByName(name: string): MentionedGroup | undefined;
  channelByName(name: string): LinkedChannel | undefined;
  emojiByName?(name: string): CustomEmoji | undefined;
  /**
   * The newest message of the topic that the sender may read. It makes a topic link follow the topic when the
   * topic moves.
   */
  latestMessageId?(channelId: number, topic: string): number | undefined;
  uploadedImage?(path: string): UploadedImage | undefined;
  /** Whether a link to an uploaded file counts. Without it, each does. Others are links and show nothing. */
  hasUpload?(path: string): boolean;
  /**
   * The URL through which outside videos and sounds are fetched, to hide the reader's address. null: they
   * stay links. Without it: the original URL.
   */
  proxiedMediaUrl?(url: string): string | null;
  /**
   * The URL through which outside images are fetched. null: the image stays a link. Without it, the
   * thumbnail endpoint is used, as clients of this flavour expect.
   */
  proxiedImageUrl?(url: string): string | null;
  /**
   * What is known of a linked page. It needs `proxiedImageUrl`. Only the server has it: a client that renders
   * a text for its writer shows no page.
   */
  linkPreview?(url: string): LinkPreview | undefined;
  readonly linkifiers?: readonly Linkifier[];
  /** The organization's URL, without a trailing slash. Links to it become relative. */
  readonly baseUrl: string;
  /** The display name of the empty topic (`realm_empty_topic_display_name`). */
  readonly emptyTopicName?: string;
  /** The sender's setting: emoticons such as `:)` become emoji. */
  readonly translateEmoticons?: boolean;
  /**
   * Whether images, videos and sounds of other sites that are linked to are shown in place. They are unless
   * false.
   */
  readonly inlinePreviews?: boolean;
  /** Language of code blocks that name none. */
  readonly defaultCodeLanguage?: string | null;
}
