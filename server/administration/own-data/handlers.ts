import {
  createOwnDataCopy,
  deleteOwnDataCopy,
  getOwnDataCopy,
  getOwnDataLink,
  type OwnDataCopyRecord,
} from "../../../api/administration/own-data.ts";
import { siteOf } from "../../organization/site.ts";
import { changeContent, changeState } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { deleteMadeFile } from "../exports/leftovers.ts";
import { exportLink, ownDataLinks } from "../exports/link.ts";
import { accessCopy, checkPerson, createCopy, deleteCopy, expiryOf } from "./copy.ts";
import { findNewestCopy, type OwnCopy, ownCopies } from "./copy-store.ts";

export function ownDataRoutes(
  services: Pick<Services, "config" | "database" | "files" | "keyring" | "organizations">,
): Route[] {
  return [
    route(getOwnDataCopy, async ({ state, viewer }) => {
      checkPerson(viewer);
      const row = await findNewestCopy(state.database, state.organizationId, viewer.user.id);
      return { copy: row ? present(row) : null };
    }),
    route(createOwnDataCopy, async ({ viewer }) => {
      await changeState(viewer, createCopy);
      return {};
    }),
    route(getOwnDataLink, async ({ state, viewer, baseUrl }) => {
      const site = await siteOf(services, state, baseUrl);
      const { id } = await changeContent(viewer, accessCopy);
      const { user, credential } = viewer;
      const sessionId = credential?.kind === "session" ? credential.id : 0;
      const link = { exportId: id, userId: user.id, sessionId };
      return { export_url: `${site}${exportLink(services.keyring, state, link, ownDataLinks)}` };
    }),
    route(deleteOwnDataCopy, async ({ state, viewer }) => {
      const row = await changeContent(viewer, deleteCopy);
      await deleteMadeFile(services, ownCopies, state.organizationId, row);
      return {};
    }),
  ];
}

function present(row: OwnCopy): OwnDataCopyRecord {
  const expiry = expiryOf(row);
  return {
    requested_at: Math.floor(row.requestedAt.getTime() / 1000),
    status: row.status,
    progress: row.progress,
    failure_reason: row.failureReason,
    expires_at: expiry ? Math.floor(expiry.getTime() / 1000) : null,
  };
}
