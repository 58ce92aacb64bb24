import { removeOwnAvatar, uploadOwnAvatar } from "../../../api/content/avatars.ts";
import { avatarUrl } from "../../people/pictures/picture.ts";
import { changeState } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { checkMayChangeAvatar, replaceAvatar } from "./actions.ts";
import { storePicture } from "./pictures.ts";

export function avatarRoutes(services: Pick<Services, "config" | "files">): readonly Route[] {
  const { config } = services;
  return [
    route(uploadOwnAvatar, async ({ viewer, files }) => {
      checkMayChangeAvatar(config, viewer);
      return change(viewer, await storePicture(services, viewer, "avatar", files));
    }),
    route(removeOwnAvatar, ({ viewer }) => change(viewer, null)),
  ];

  async function change(viewer: Viewer, avatarFile: string | null) {
    const user = await changeState(viewer, async (tx) => {
      checkMayChangeAvatar(config, tx.viewer);
      return replaceAvatar(tx, tx.viewer.user, avatarFile);
    });
    return { avatar_url: avatarUrl(viewer.state, user, false) };
  }
}
