/** A copy of the caller's own data. docs/exports.md says what is in it, and what is not. */
import { type Static, Type } from "typebox";
import { endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { EXPORT_FILE_DAYS, EXPORT_LINK_HOURS } from "../limits.ts";
import { inSession } from "../proof.ts";

export const ownDataCopy = Type.Object({
  requested_at: Type.Integer({ description: "When it was asked for, in UNIX seconds." }),
  status: Type.Enum(["pending", "done", "failed", "deleted"], {
    description:
      "`pending`: It is being made. `done`: There is a file. `failed`: There is none, and another can be asked for. `deleted`: The file was deleted.",
  }),
  progress: Type.Integer({ description: "How much of it is done, in percent." }),
  failure_reason: Type.Union([Type.String(), Type.Null()], {
    description: "Why it failed, for people; `null` if it did not.",
  }),
  expires_at: Type.Union([Type.Integer(), Type.Null()], {
    description: "When its file is deleted, in UNIX seconds; `null` without a file.",
  }),
});

export type OwnDataCopyRecord = Static<typeof ownDataCopy>;

const linkRule = `The link works for ${EXPORT_LINK_HOURS} hours while the account is active. It ends with the session or the API key that asked for it, and that of a session works in the browser of that session alone.`;

export const getOwnDataCopy = endpoint({
  name: "getOwnDataCopy",
  subject: "Own data",
  method: "GET",
  path: "/users/me/data_copy",
  access: "user",
  summary: "Get the state of the copy of your data",
  description: "Returns what became of the newest copy of the caller's own data.",
  parameters: {},
  reply: {
    copy: Type.Union([ownDataCopy, Type.Null()], {
      description: "The newest copy; `null` if there is none.",
    }),
  },
  errors: [errors.botsNotAccepted],
  emits: [],
  example: {
    parameters: {},
    reply: {
      copy: {
        requested_at: 1772445601,
        status: "done",
        progress: 100,
        failure_reason: null,
        expires_at: 1773050401,
      },
    },
  },
  sample: () => ({}),
});

export const createOwnDataCopy = endpoint({
  name: "createOwnDataCopy",
  subject: "Own data",
  method: "POST",
  path: "/users/me/data_copy",
  access: "user",
  proof: inSession("own_data_requested"),
  summary: "Copy your data",
  description: `Begins a copy of the caller's own data: profile, settings, their own messages, what they keep for themselves, and their files. It has nothing that others wrote. It is made in the background, and a message of the notification bot says when it is ready. The file of an earlier copy is deleted. One copy is made in a day, besides those that failed. The file is deleted after ${EXPORT_FILE_DAYS} days.`,
  parameters: {},
  reply: {},
  errors: [errors.botsNotAccepted, errors.exportPending, errors.tooManyExports],
  emits: [],
  example: { parameters: {}, reply: {} },
  sample: () => ({}),
});

export const getOwnDataLink = endpoint({
  name: "getOwnDataLink",
  subject: "Own data",
  // A GET would have what proves the person in its address, which proxies and browsers keep.
  method: "POST",
  path: "/users/me/data_copy/link",
  access: "user",
  proof: { rules: [{ level: "in a session" }] },
  summary: "Get a link to the copy of your data",
  description: `Returns a link to the file of the caller's newest copy. ${linkRule}`,
  parameters: {},
  reply: { export_url: Type.String({ description: "The URL of the file." }) },
  errors: [
    errors.botsNotAccepted,
    errors.noSuchExport,
    errors.exportStillPending,
    errors.exportFailed,
    errors.exportAlreadyDeleted,
  ],
  emits: [],
  example: {
    parameters: {},
    reply: {
      export_url:
        "https://chat.example.com/own-data/1-8-3-1700090000-hJ2w6rYk0m7q1c9sT8e2vQ5xN3bL4dZ0aF6gK9uPiYo",
    },
  },
  sample: () => ({}),
});

export const deleteOwnDataCopy = endpoint({
  name: "deleteOwnDataCopy",
  subject: "Own data",
  method: "DELETE",
  path: "/users/me/data_copy",
  access: "user",
  summary: "Delete the copy of your data",
  description: "Deletes the file of the caller's newest copy.",
  parameters: {},
  reply: {},
  errors: [
    errors.botsNotAccepted,
    errors.noSuchExport,
    errors.exportStillPending,
    errors.exportFailed,
    errors.exportAlreadyDeleted,
  ],
  emits: [],
  example: { parameters: {}, reply: {} },
  sample: () => ({}),
});
