import {
  createExport as createExportEndpoint,
  deleteExport as deleteExportEndpoint,
  exportTypes,
  getExportConsents,
  getExports,
} from "../../../api/administration/exports.ts";
import { MAX_EXPORTS_LISTED } from "../../../api/limits.ts";
import { siteOf } from "../../organization/site.ts";
import { changeState } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { createExport, deleteExport } from "./actions.ts";
import { deleteFile } from "./clean-up.ts";
import { listConsents } from "./consents.ts";
import { logged, presentExport } from "./present.ts";
import { listExports } from "./store.ts";

export function exportRoutes(
  services: Pick<Services, "config" | "files" | "keyring" | "organizations">,
): Route[] {
  const { keyring } = services;
  return [
    route(getExports, async ({ state, viewer, baseUrl }) => {
      const { organizationId, database } = state;
      const rows = await listExports(database, organizationId, MAX_EXPORTS_LISTED);
      const place = { keyring, state, site: await siteOf(services, state, baseUrl) };
      const { user, credential } = viewer;
      const asked = { userId: user.id, sessionId: credential?.kind === "session" ? credential.id : 0 };
      return { exports: rows.map((row) => presentExport(place, asked, logged(row))) };
    }),
    route(createExportEndpoint, async ({ viewer, params: { exportType = exportTypes.public } }) => {
      const { id } = await changeState(viewer, (tx) => createExport(tx, exportType));
      return { id };
    }),
    route(deleteExportEndpoint, async ({ state, viewer, params: { exportId } }) => {
      const fileKey = await changeState(viewer, (tx) => deleteExport(tx, exportId));
      await deleteFile(services, state, exportId, fileKey);
      return {};
    }),
    route(getExportConsents, ({ state }) => ({ export_consents: listConsents(state) })),
  ];
}
