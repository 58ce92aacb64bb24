/** The facts about a message that the server needs; gathered in the pass that renders it. */
export interface MessageFacts {
  /** People to notify, in order of appearance, each once. */
  mentionedUserIds: number[];
  mentionedGroupIds: number[];
  mentionsChannelWildcard: boolean;
  mentionsTopicWildcard: boolean;
  hasLink: boolean;
  /** Whether it links, outside of quotes, to an image or a video that can be shown in place. */
  hasImage: boolean;
  hasAttachment: boolean;
  isMeMessage: boolean;
  /** Uploaded files linked to: the part of their URL after `/user_uploads/`. */
  attachmentPaths: string[];
  /**
   * Outside pages linked to outside of quotes, in order, for link previews. Empty if there are more than a
   * message may preview.
   */
  linkedUrls: string[];
}

export function noFacts(): MessageFacts {
  return {
    mentionedUserIds: [],
    mentionedGroupIds: [],
    mentionsChannelWildcard: false,
    mentionsTopicWildcard: false,
    hasLink: false,
    hasImage: false,
    hasAttachment: false,
    isMeMessage: false,
    attachmentPaths: [],
    linkedUrls: [],
  };
}
