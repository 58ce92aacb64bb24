import {
  createExport as createExportEndpoint,
  deleteExport as deleteExportEndpoint,
  exportTypes,
  getExportConsents,
  getExportLink,
  getExports,
} from "../../../api/administration/exports.ts";
import { MAX_EXPORTS_LISTED } from "../../../api/limits.ts";
import { siteOf } from "../../organization/site.ts";
import { changeContent, changeState } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { accessExportFile, createExport, deleteExport } from "./actions.ts";
import { listConsents } from "./consents.ts";
import { deleteMadeFile } from "./leftovers.ts";
import { exportLink } from "./link.ts";
import { logged, presentExport } from "./present.ts";
import { exportRuns, listExports } from "./store.ts";

export function exportRoutes(
  services: Pick<Services, "config" | "database" | "files" | "keyring" | "organizations">,
): Route[] {
  const { keyring } = services;
  return [
    route(getExports, async ({ state, viewer, baseUrl }) => {
      const { organizationId, database } = state;
      const rows = await listExports(database, organizationId, MAX_EXPORTS_LISTED);
      const place = { keyring, state, site: await siteOf(services, state, baseUrl) };
      const { user, credential } = viewer;
      const linkedTo = credential?.kind === "API key" ? user.id : undefined;
      return { exports: rows.map((row) => presentExport(place, linkedTo, logged(row))) };
    }),
    route(getExportLink, async ({ state, viewer, params: { exportId }, baseUrl }) => {
      const site = await siteOf(services, state, baseUrl);
      const { id } = await changeContent(viewer, (tx) => accessExportFile(tx, exportId));
      const { user, credential } = viewer;
      const sessionId = credential?.kind === "session" ? credential.id : 0;
      return {
        export_url: `${site}${exportLink(keyring, state, { exportId: id, userId: user.id, sessionId })}`,
      };
    }),
    route(createExportEndpoint, async ({ viewer, params: { exportType = exportTypes.public } }) => {
      const { id } = await changeState(viewer, (tx) => createExport(tx, exportType));
      return { id };
    }),
    route(deleteExportEndpoint, async ({ state, viewer, params: { exportId } }) => {
      const fileKey = await changeState(viewer, (tx) => deleteExport(tx, exportId));
      await deleteMadeFile(services, exportRuns, state.organizationId, { id: exportId, fileKey });
      return {};
    }),
    route(getExportConsents, ({ state }) => ({ export_consents: listConsents(state) })),
  ];
}
