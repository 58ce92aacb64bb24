import { Type } from "typebox";
import { attachment, exampleAttachment, uploadSpaceUsed } from "../content/uploads.ts";
import { event } from "../event.ts";
import { described } from "../fields.ts";

const example = { attachment: exampleAttachment, upload_space_used: exampleAttachment.size };

export const attachmentAdded = event({
  type: "attachment",
  op: "add",
  description: "The user uploaded a file.",
  payload: { attachment: described(attachment, "The new file."), upload_space_used: uploadSpaceUsed },
  example,
});

export const attachmentUpdated = event({
  type: "attachment",
  op: "update",
  description: "A message links a file of the user now, or no longer. Only its owner gets this.",
  payload: {
    attachment: described(attachment, "The file as it now is."),
    upload_space_used: uploadSpaceUsed,
  },
  example,
});

export const attachmentRemoved = event({
  type: "attachment",
  op: "remove",
  description: "A file of the user was deleted: by them, or because no message linked it for some weeks.",
  payload: {
    attachment: Type.Object(
      { id: Type.Integer({ description: "The file's ID." }) },
      { description: "The file that is gone." },
    ),
    upload_space_used: uploadSpaceUsed,
  },
  example: { attachment: { id: 1 }, upload_space_used: 0 },
});
