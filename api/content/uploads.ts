/** Files that people upload, to link them in messages. */
import { type Static, Type } from "typebox";
import { endpoint, inPath } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { DEFAULT_UPLOAD_MIB, MAX_ATTACHMENTS_LISTED, MAX_MESSAGES_OF_ATTACHMENT } from "../limits.ts";

export const attachment = Type.Object({
  id: Type.Integer({ description: "The file's ID." }),
  name: Type.String({ description: "Its name, as its owner's program sent it." }),
  path_id: Type.String({ description: "Its address, after `/user_uploads/`." }),
  size: Type.Integer({ description: "Its bytes." }),
  create_time: Type.Integer({ description: "When it was uploaded, in UNIX milliseconds." }),
  messages: Type.Array(
    Type.Object({
      id: Type.Integer({ description: "The message's ID." }),
      date_sent: Type.Integer({ description: "When it was sent, in UNIX milliseconds." }),
    }),
    {
      description: `The newest messages that link it, at most ${MAX_MESSAGES_OF_ATTACHMENT}, in their order.`,
    },
  ),
});

export type AttachmentRecord = Static<typeof attachment>;

export const uploadSpaceUsed = Type.Integer({
  description: "The bytes of all uploaded files of the organization.",
});

export const exampleAttachment: AttachmentRecord = {
  id: 1,
  name: "soup menu.pdf",
  path_id: "1/4e/m2A3MSqFnWRLUf9SaPzQ0Upx/soup-menu.pdf",
  size: 571_946,
  create_time: 1_767_225_600_000,
  messages: [{ id: 102, date_sent: 1_767_225_660_000 }],
};

const url = `/user_uploads/${exampleAttachment.path_id}`;

export const uploadFile = endpoint({
  name: "uploadFile",
  subject: "Uploads",
  method: "POST",
  path: "/user_uploads",
  access: "user",
  summary: "Upload a file",
  description: `Stores a file and returns its address. At first only the caller can read it. Those who can read a message that links it can read it too, as long as they can read the message. A file that no message links is deleted after some weeks. How large a file may be stands in \`max_file_upload_size_mib\` of \`/register\`: ${DEFAULT_UPLOAD_MIB} MiB unless the operator chose otherwise. A file can also come in several requests, by the protocol tus 1.0 at \`/api/v1/tus\`.`,
  parameters: {},
  files: {
    maxCount: 1,
    maxBytes: DEFAULT_UPLOAD_MIB * 2 ** 20,
    description: "The file. Only one is allowed.",
    sample: { name: "soup.txt", contentType: "text/plain", base64: "U291cCB0b2RheT8K" },
  },
  reply: {
    url: Type.String({
      description: "Its address below the organization's URL, for links in messages: `[name](url)`.",
    }),
    uri: Type.String({ description: "Deprecated: equal to `url`." }),
    filename: Type.String({ description: "Its name, for the text of the link." }),
  },
  errors: [errors.noFileGiven, errors.uploadQuotaExceeded, errors.overQuota],
  emits: ["attachment/add"],
  example: { parameters: {}, reply: { url, uri: url, filename: exampleAttachment.name } },
  sample: () => ({}),
});

export const getTemporaryFileUrl = endpoint({
  name: "getTemporaryFileUrl",
  subject: "Uploads",
  method: "GET",
  path: "/user_uploads/{realm_id_str}/{filename}",
  access: "user",
  summary: "Get a temporary address of a file",
  description:
    "Returns an address under which everybody can load the file for 60 seconds, without credentials. It ends earlier with the session or the API key that asked for it, and when the caller may no longer read the file. It is for programs that hand files over to another program.",
  parameters: {
    realm_id_str: inPath(Type.Integer(), { description: "The first part of the file's address." }),
    filename: inPath(Type.String({ slashes: true }), { description: "The rest of the file's address." }),
  },
  reply: {
    url: Type.String({ description: "The temporary address, below the organization's URL." }),
  },
  errors: [errors.fileNotFound, errors.fileNotReadable],
  emits: [],
  example: {
    parameters: { realm_id_str: 1, filename: "4e/m2A3MSqFnWRLUf9SaPzQ0Upx/soup-menu.pdf" },
    reply: {
      url: "/user_uploads/temporary/1767225660-5-0-98b_D94DFm75rT1_OALBZESFOjU0l2wX3vYb5aQkR7c/soup-menu.pdf",
    },
  },
  sample: ({ uploadPath }) => {
    const slash = uploadPath.indexOf("/");
    return { realm_id_str: Number(uploadPath.slice(0, slash)), filename: uploadPath.slice(slash + 1) };
  },
});

export const getAttachments = endpoint({
  name: "getAttachments",
  subject: "Uploads",
  method: "GET",
  path: "/attachments",
  access: "user",
  summary: "List own files",
  description: `Lists the files that the caller has uploaded, the newest first, at most ${MAX_ATTACHMENTS_LISTED}.`,
  parameters: {},
  reply: {
    attachments: Type.Array(attachment, { description: "The caller's files." }),
    upload_space_used: uploadSpaceUsed,
  },
  errors: [],
  emits: [],
  example: {
    parameters: {},
    reply: { attachments: [exampleAttachment], upload_space_used: exampleAttachment.size },
  },
  sample: () => ({}),
});

export const deleteAttachment = endpoint({
  name: "deleteAttachment",
  subject: "Uploads",
  method: "DELETE",
  path: "/attachments/{attachment_id}",
  access: "user",
  summary: "Delete a file",
  description:
    "Deletes a file that the caller uploaded. Messages keep their links to it, which lead nowhere.",
  parameters: { attachment_id: inPath(Type.Integer(), { description: "The file's ID." }) },
  reply: {},
  errors: [errors.invalidAttachment],
  emits: ["attachment/remove"],
  example: { parameters: { attachment_id: 3 }, reply: {} },
  sample: (ids) => ({ attachment_id: ids.attachmentId }),
});
