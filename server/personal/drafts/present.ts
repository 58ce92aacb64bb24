import type { DraftRecord } from "../../../api/personal/drafts.ts";
import type { Draft } from "./store.ts";

export function presentDraft(draft: Draft): DraftRecord {
  const { id, topic, content, editedAt } = draft;
  return { id, ...presentAddress(draft), topic, content, timestamp: Math.floor(editedAt.getTime() / 1000) };
}

function presentAddress({ channelId, userIds }: Draft): Pick<DraftRecord, "type" | "to"> {
  if (channelId !== null) return { type: "stream", to: [channelId] };
  if (userIds !== null) return { type: "private", to: [...userIds] };
  return { type: "", to: [] };
}
