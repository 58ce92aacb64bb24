import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { organization } from "../../organization/organization.ts";
import {
  changeOrganizationPicture,
  type OrganizationPicture,
  presentPicture,
} from "../../organization/pictures.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { checkAdministrator } from "../../people/viewer/current-viewer.ts";
import { discardPicture } from "../avatars/pictures.ts";

/**
 * Gives the organization the picture of that name, whose files are stored already, or none. The files of the
 * one before are deleted after the commit. Throws `mustBeAdministrator`.
 */
export async function replaceOrganizationPicture(
  tx: ViewerChange,
  picture: OrganizationPicture,
  file: string | null,
): Promise<void> {
  checkAdministrator(tx.viewer);
  const { state } = tx;
  const before = state.get(organization).pictures[picture];
  if (file === before) return;
  await discardPicture(tx, picture === "icon" ? "icon" : "logo", before);
  await changeOrganizationPicture(tx, picture, file);
  const changes = changesBetween(
    presentPicture(state, picture, before),
    presentPicture(state, picture, file),
  );
  await recordAudit(tx, { action: "organization_picture_changed", changes });
}
