import { Type } from "typebox";
import { exampleExport, getExports } from "../administration/exports.ts";
import { event } from "../event.ts";

export const exportsChanged = event({
  type: "realm_export",
  description:
    "An export was begun, made progress, ended, failed, or lost its file. Administrators get all exports, as `GET /export/realm` returns them.",
  payload: { exports: getExports.reply.exports },
  example: { exports: [exampleExport] },
});

export const exportConsentChanged = event({
  type: "realm_export_consent",
  description:
    "A person decided whether an export may include their private data (`allow_private_data_export`). Administrators get it.",
  payload: {
    user_id: Type.Integer({ description: "The person." }),
    consented: Type.Boolean({ description: "Whether they consent." }),
  },
  example: { user_id: 2, consented: true },
});
