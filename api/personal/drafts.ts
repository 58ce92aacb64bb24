import { type Static, Type } from "typebox";
import { endpoint, inPath, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_DRAFTS } from "../limits.ts";

const disabled = "The call is refused while the caller's setting `enable_drafts_synchronization` is off.";

const content = "The text so far, in Markdown. A text that is too long for a message is truncated.";

/** A draft as its owner sees it. */
export const draft = Type.Object({
  id: Type.Integer({ description: "The draft's ID." }),
  type: Type.Enum(["", "stream", "private"], {
    description: "`stream` for a channel, `private` for people, empty while it is addressed to nobody.",
  }),
  to: Type.Array(Type.Integer(), {
    description: "The channel's ID alone, the IDs of the people, or nothing.",
  }),
  topic: Type.String({ description: "The topic in a channel; empty for other drafts." }),
  content: Type.String({ description: "The text so far, in Markdown." }),
  timestamp: Type.Integer({ description: "When it was last edited, in UNIX seconds." }),
});

export type DraftRecord = Static<typeof draft>;

/** The year 5138: later times are mistakes, such as milliseconds for seconds. */
const MAX_TIMESTAMP = 1e11;

const newDraft = Type.Object(
  {
    type: Type.Enum(["", "stream", "private", "channel", "direct"], {
      description:
        "`channel` or its older name `stream`, `direct` or its older name `private`, or empty for a draft that is addressed to nobody.",
    }),
    to: Type.Array(Type.Integer({ minimum: 0 }), {
      description:
        "The ID of one channel, or the IDs of people. It is ignored for a draft that is addressed to nobody.",
    }),
    topic: Type.String({ description: "The topic in a channel. It is ignored for other drafts." }),
    content: Type.String({ description: content }),
    timestamp: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: MAX_TIMESTAMP,
        description: "When it was last edited, in UNIX seconds; now by default.",
      }),
    ),
  },
  { description: "A draft without an ID." },
);

export type NewDraft = Static<typeof newDraft>;

export const exampleDraft: DraftRecord = {
  id: 17,
  type: "private",
  to: [5],
  topic: "",
  content: "Good morning, Dev.",
  timestamp: 1700000000,
};

const draftId = inPath(Type.Integer({ minimum: 0 }), { description: "The caller's draft." });

const addressErrors = [
  errors.draftsDisabled,
  errors.emptyMessage,
  errors.oneChannel,
  errors.invalidChannelId,
  errors.topicCharacter,
  errors.invalidRecipientId,
  errors.tooManyRecipients,
];

export const getDrafts = endpoint({
  name: "getDrafts",
  subject: "Drafts",
  method: "GET",
  path: "/drafts",
  access: "user",
  summary: "Get own drafts",
  description: `Returns the messages that the caller began to write on any client. ${disabled}`,
  parameters: {},
  reply: {
    count: Type.Integer({ description: "How many drafts there are." }),
    drafts: Type.Array(draft, { description: "The caller's drafts, the last edited first." }),
  },
  errors: [errors.draftsDisabled],
  emits: [],
  example: { parameters: {}, reply: { count: 1, drafts: [exampleDraft] } },
  sample: () => ({}),
});

export const createDrafts = endpoint({
  name: "createDrafts",
  subject: "Drafts",
  method: "POST",
  path: "/drafts",
  access: "user",
  summary: "Create drafts",
  description: `Keeps drafts for all of the caller's clients: all of them, or none if one is not valid. One person can have at most ${MAX_DRAFTS} drafts. ${disabled}`,
  parameters: {
    drafts: required(Type.Array(newDraft, { maxItems: MAX_DRAFTS }), { description: "The new drafts." }),
  },
  reply: {
    ids: Type.Array(Type.Integer(), {
      description: "The IDs of the new drafts, in the order of the request.",
    }),
  },
  errors: [...addressErrors, errors.personalLimit, errors.overQuota],
  emits: ["drafts/add"],
  example: {
    parameters: {
      drafts: [{ type: "channel", to: [1], topic: "lunch", content: "Soup tod", timestamp: 1700000000 }],
    },
    reply: { ids: [18] },
  },
  sample: (ids) => ({ drafts: [{ type: "" as const, to: [], topic: "", content: ids.freshName }] }),
});

export const editDraft = endpoint({
  name: "editDraft",
  subject: "Drafts",
  method: "PATCH",
  path: "/drafts/{draft_id}",
  access: "user",
  summary: "Edit a draft",
  description: `Replaces one of the caller's drafts by another. ${disabled}`,
  parameters: {
    draft_id: draftId,
    draft: required(newDraft, { description: "The whole draft as it is to be." }),
  },
  reply: {},
  errors: [errors.draftDoesNotExist, ...addressErrors],
  emits: ["drafts/update"],
  example: {
    parameters: { draft_id: 1, draft: { type: "channel", to: [1], topic: "lunch", content: "Soup today?" } },
    reply: {},
  },
  sample: (ids) => ({
    draft_id: ids.draftId,
    draft: { type: "" as const, to: [], topic: "", content: "Soup today?" },
  }),
});

export const deleteDraft = endpoint({
  name: "deleteDraft",
  subject: "Drafts",
  method: "DELETE",
  path: "/drafts/{draft_id}",
  access: "user",
  summary: "Delete a draft",
  description: `Deletes one of the caller's drafts. ${disabled}`,
  parameters: { draft_id: draftId },
  reply: {},
  errors: [errors.draftDoesNotExist, errors.draftsDisabled],
  emits: ["drafts/remove"],
  example: { parameters: { draft_id: 1 }, reply: {} },
  sample: (ids) => ({ draft_id: ids.draftId }),
});
