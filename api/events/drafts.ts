import { Type } from "typebox";
import { event } from "../event.ts";
import { described } from "../fields.ts";
import { draft, exampleDraft } from "../personal/drafts.ts";

export const draftsAdded = event({
  type: "drafts",
  op: "add",
  description: "The user created drafts.",
  payload: { drafts: Type.Array(draft, { description: "The new drafts." }) },
  example: { drafts: [exampleDraft] },
});

export const draftUpdated = event({
  type: "drafts",
  op: "update",
  description: "The user edited a draft, or all messages of the topic that it is for moved.",
  payload: { draft: described(draft, "The draft as it now is.") },
  example: { draft: { ...exampleDraft, content: "Good evening, Dev." } },
});

export const draftRemoved = event({
  type: "drafts",
  op: "remove",
  description: "The user deleted a draft, or turned off the synchronization of drafts, which deletes all.",
  payload: { draft_id: Type.Integer({ description: "The draft." }) },
  example: { draft_id: 17 },
});
