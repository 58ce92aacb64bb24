import {
  removeIcon,
  removeLogo,
  uploadIcon,
  uploadLogo,
} from "../../../api/content/organization-pictures.ts";
import { type OrganizationPicture, organizationPictureUrl } from "../../organization/pictures.ts";
import { changeState } from "../../people/viewer/change.ts";
import { checkAdministrator } from "../../people/viewer/current-viewer.ts";
import { route } from "../../people/viewer/route.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { ReceivedFile } from "../../platform/http/received-files.ts";
import type { Services } from "../../services.ts";
import { storePicture } from "../avatars/pictures.ts";
import { replaceOrganizationPicture } from "./actions.ts";

export function organizationPictureRoutes(services: Pick<Services, "config" | "files">): readonly Route[] {
  return [
    route(uploadIcon, async ({ state, viewer, files }) => {
      await upload(viewer, "icon", files);
      return { icon_url: organizationPictureUrl(state, "icon") };
    }),
    route(removeIcon, async ({ state, viewer }) => {
      await change(viewer, "icon", null);
      return { icon_url: organizationPictureUrl(state, "icon") };
    }),
    route(uploadLogo, async ({ viewer, params: { night }, files }) => {
      await upload(viewer, logoFor(night), files);
      return {};
    }),
    route(removeLogo, async ({ viewer, params: { night } }) => {
      await change(viewer, logoFor(night), null);
      return {};
    }),
  ];

  async function upload(viewer: Viewer, picture: OrganizationPicture, files: readonly ReceivedFile[]) {
    checkAdministrator(viewer);
    const file = await storePicture(services, viewer, picture === "icon" ? "icon" : "logo", files);
    await change(viewer, picture, file);
  }
}

function change(viewer: Viewer, picture: OrganizationPicture, file: string | null): Promise<void> {
  return changeState(viewer, (tx) => replaceOrganizationPicture(tx, picture, file));
}

function logoFor(night = false): OrganizationPicture {
  return night ? "nightLogo" : "logo";
}
