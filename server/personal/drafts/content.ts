import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import type { NewDraft } from "../../../api/personal/drafts.ts";
import { accessChannel } from "../../channels/access.ts";
import { parseTopicName } from "../../channels/recipients/topic-name.ts";
import { parseContent } from "../../messages/model/content.ts";
import { MAX_DIRECT_RECIPIENTS } from "../../messages/send/addressee.ts";
import { findKnownById } from "../../people/access/access.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { DraftContent } from "./store.ts";

/**
 * A draft as it is stored. It may be for a channel in which the viewer can't post, and for people to whom
 * they can't write: sending decides that. But it names only what the viewer may know of.
 */
export function parseDraft(viewer: Viewer, draft: NewDraft): DraftContent {
  const content = parseContent(draft.content);
  const editedAt = draft.timestamp === undefined ? new Date() : new Date(draft.timestamp * 1000);
  return { ...parseAddress(viewer, draft), content, editedAt };
}

function parseAddress(
  viewer: Viewer,
  { type, to, topic }: NewDraft,
): Pick<DraftContent, "channelId" | "userIds" | "topic"> {
  const nobody = { channelId: null, userIds: null, topic: "" };
  switch (type) {
    case "stream":
    case "channel": {
      const [id] = to;
      if (id === undefined || to.length > 1) throw new ApiError(errors.oneChannel);
      return { ...nobody, channelId: accessChannel(viewer, id).id, topic: parseTopicName(topic) };
    }
    case "private":
    case "direct":
      return to.length === 0 ? nobody : { ...nobody, userIds: parsePeople(viewer, to) };
    case "":
      return nobody;
  }
}

/** Each person once, and the viewer only in a draft to nobody else, as in the address of a conversation. */
function parsePeople({ state, user }: Viewer, to: readonly number[]): UserId[] {
  if (to.length > MAX_DIRECT_RECIPIENTS) {
    throw new ApiError(errors.tooManyRecipients, { limit: MAX_DIRECT_RECIPIENTS });
  }
  const people = new Set<UserId>();
  for (const id of to) {
    const person = findKnownById(state, user, id);
    if (!person) throw new ApiError(errors.invalidRecipientId, { id });
    people.add(person.id);
  }
  if (people.size > 1) people.delete(user.id);
  return [...people];
}
