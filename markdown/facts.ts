/** What the engine needs to know about a message; gathered in the pass that renders it. */
export interface MessageFacts {
  /** People to notify, in order of appearance, each once. */
  mentionedUserIds: number[];
  /** People named without notifying them. */
  silentUserIds: number[];
  mentionedGroupIds: number[];
  silentGroupIds: number[];
  mentionsChannelWildcard: boolean;
  mentionsTopicWildcard: boolean;
  hasLink: boolean;
  hasImage: boolean;
  hasAttachment: boolean;
  isMeMessage: boolean;
  /** Uploaded files linked to: the part of their URL after `/user_uploads/`. */
  attachmentPaths: string[];
  /** Outside pages linked to outside of quotes, in order, for link previews; none when they are more than a message may preview. */
  linkedUrls: string[];
  /** The alert words found outside code, as they were given. */
  alertWords: string[];
  /** Set when the text was too intricate to render and is shown as plain paragraphs. */
  isPlainFallback: boolean;
}

export function noFacts(): MessageFacts {
  return {
    mentionedUserIds: [],
    silentUserIds: [],
    mentionedGroupIds: [],
    silentGroupIds: [],
    mentionsChannelWildcard: false,
    mentionsTopicWildcard: false,
    hasLink: false,
    hasImage: false,
    hasAttachment: false,
    isMeMessage: false,
    attachmentPaths: [],
    linkedUrls: [],
    alertWords: [],
    isPlainFallback: false,
  };
}
