/** Exports of the organization's data. docs/exports.md says what is in them, and in which form. */
import { type Static, Type } from "typebox";
import { endpoint, inPath, optional } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { EXPORT_FILE_DAYS, EXPORT_LINK_HOURS, MAX_EXPORTS_A_WEEK, MAX_EXPORTS_LISTED } from "../limits.ts";
import { inSession } from "../proof.ts";

/** The values of `export_type`. */
export const exportTypes = { public: 1, fullWithConsent: 2 } as const;

export type ExportType = (typeof exportTypes)[keyof typeof exportTypes];

const typeMeanings =
  "1 for what all members can read, 2 for private data of people who consent (`allow_private_data_export`) too";
const when = (what: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `When ${what}, in UNIX seconds; else \`null\`.` });

const linkRule = `The link works for ${EXPORT_LINK_HOURS} hours, without credentials, while the reader for whom it was made is an administrator. It ends with the session or the API key that asked for it.`;

export const exportRecord = Type.Object({
  id: Type.Integer({ description: "The export's ID." }),
  acting_user_id: Type.Integer({ description: "Who asked for it." }),
  export_time: Type.Integer({ description: "When it was asked for, in UNIX seconds." }),
  deleted_timestamp: when("its file was deleted"),
  failed_timestamp: when("it failed"),
  export_url: Type.Union([Type.String(), Type.Null()], {
    description: `The URL of its file; \`null\` while there is none, and in a session, which gets it by \`POST /export/realm/{export_id}/link\`. ${linkRule}`,
  }),
  pending: Type.Boolean({ description: "Whether it is still being made." }),
  export_type: Type.Enum([1, 2], { description: `What is in it: ${typeMeanings}.` }),
  progress: Type.Integer({ description: "How much of it is done, in percent." }),
  failure_reason: Type.Union([Type.String(), Type.Null()], {
    description: "Why it failed, for people; `null` if it did not.",
  }),
});

export type ExportRecord = Static<typeof exportRecord>;

export const exampleExport: ExportRecord = {
  id: 4,
  acting_user_id: 1,
  export_time: 1700000000,
  deleted_timestamp: null,
  failed_timestamp: null,
  export_url: "https://chat.example.com/exports/4-1-0-1700090000-vQ1w6hYk0m7q1c9sJ8e2rT5xN3bL4dZ0aF6gK9uPiYo",
  pending: false,
  export_type: 1,
  progress: 100,
  failure_reason: null,
};

export const getExports = endpoint({
  name: "getExports",
  subject: "Exports",
  method: "GET",
  path: "/export/realm",
  access: "administrator",
  summary: "Get exports",
  description: `Returns the newest ${MAX_EXPORTS_LISTED} exports of the organization, deleted and failed ones too.`,
  parameters: {},
  reply: { exports: Type.Array(exportRecord, { description: "The exports, the oldest first." }) },
  errors: [],
  emits: [],
  example: { parameters: {}, reply: { exports: [exampleExport] } },
  sample: () => ({}),
});

export const createExport = endpoint({
  name: "createExport",
  subject: "Exports",
  method: "POST",
  path: "/export/realm",
  access: "administrator",
  proof: inSession("export_created"),
  summary: "Export the organization",
  description: `Begins an export of the organization. It is made in the background, and administrators get \`realm_export\` events. An organization can have one pending export, and ${MAX_EXPORTS_A_WEEK} in a week. The file is deleted after ${EXPORT_FILE_DAYS} days.`,
  parameters: {
    export_type: optional(Type.Enum([1, 2]), { description: `${typeMeanings}. By default 1.` }),
  },
  reply: { id: Type.Integer({ description: "The new export's ID." }) },
  errors: [errors.tooManyExports, errors.exportPending],
  emits: ["realm_export"],
  example: { parameters: { export_type: 1 }, reply: { id: 4 } },
  sample: () => ({ export_type: exportTypes.public }),
});

export const getExportLink = endpoint({
  name: "getExportLink",
  subject: "Exports",
  // A GET would have what proves the person in its address, which proxies and browsers keep.
  method: "POST",
  path: "/export/realm/{export_id}/link",
  access: "administrator",
  proof: { rules: [{ level: "in a session" }] },
  summary: "Get a link to an export",
  description: `Returns a link to the file of an export. ${linkRule} What is downloaded by it has an entry in the audit log.`,
  parameters: {
    export_id: inPath(Type.Integer({ minimum: 0 }), { description: "An export with a file." }),
  },
  reply: { export_url: Type.String({ description: "The URL of the file." }) },
  errors: [errors.noSuchExport, errors.exportStillPending, errors.exportFailed, errors.exportAlreadyDeleted],
  emits: [],
  example: {
    parameters: { export_id: 1 },
    reply: {
      export_url:
        "https://chat.example.com/exports/1-1-0-1700090000-hJ2w6rYk0m7q1c9sT8e2vQ5xN3bL4dZ0aF6gK9uPiYo",
    },
  },
  sample: (ids) => ({ export_id: ids.exportId }),
});

export const deleteExport = endpoint({
  name: "deleteExport",
  subject: "Exports",
  method: "DELETE",
  path: "/export/realm/{export_id}",
  access: "administrator",
  summary: "Delete an export",
  description: "Deletes the file of an export. The export stays in the list.",
  parameters: {
    export_id: inPath(Type.Integer({ minimum: 0 }), { description: "An export with a file." }),
  },
  reply: {},
  errors: [errors.noSuchExport, errors.exportStillPending, errors.exportFailed, errors.exportAlreadyDeleted],
  emits: ["realm_export"],
  example: { parameters: { export_id: 1 }, reply: {} },
  sample: (ids) => ({ export_id: ids.exportId }),
});

export const getExportConsents = endpoint({
  name: "getExportConsents",
  subject: "Exports",
  method: "GET",
  path: "/export/realm/consents",
  access: "administrator",
  summary: "Get consents to exports",
  description: "Returns which active people let an export include their private data.",
  parameters: {},
  reply: {
    export_consents: Type.Array(
      Type.Object({
        user_id: Type.Integer({ description: "The person." }),
        consented: Type.Boolean({ description: "Whether they consent." }),
      }),
      { description: "One entry for each active person." },
    ),
  },
  errors: [],
  emits: [],
  example: { parameters: {}, reply: { export_consents: [{ user_id: 1, consented: true }] } },
  sample: () => ({}),
});
