import type { ModuleParts } from "../module-parts.ts";
import { avatarRoutes } from "./avatars/handlers.ts";
import { pictureFiles } from "./avatars/pages.ts";
import { deleteUnusedPicture } from "./avatars/pictures.ts";
import { avatarRedirects } from "./avatars/redirects.ts";
import { customEmoji } from "./emoji/custom-emoji.ts";
import { emojiRoutes } from "./emoji/handlers.ts";
import { emojiFiles } from "./emoji/pictures.ts";
import { emojiSection } from "./emoji/snapshot.ts";
import { contentExports } from "./exports.ts";
import { externalAddresses } from "./external-content/addresses.ts";
import { forgetExternalContent } from "./external-content/clean-up.ts";
import { externalPictures } from "./external-content/pages.ts";
import { linkifierSerializer } from "./linkifiers/event-serializer.ts";
import { linkifierRoutes } from "./linkifiers/handlers.ts";
import { linkifiers } from "./linkifiers/linkifier.ts";
import { linkifierSection } from "./linkifiers/snapshot.ts";
import { organizationPictureRoutes } from "./organization-pictures/handlers.ts";
import { organizationPictureRedirects } from "./organization-pictures/redirects.ts";
import { playgroundRoutes } from "./playgrounds/handlers.ts";
import { playgrounds } from "./playgrounds/playgrounds.ts";
import { playgroundSection } from "./playgrounds/snapshot.ts";
import { cleanUpUploads, cleanUpUploadsOf } from "./uploads/clean-up.ts";
import { uploadFileRoutes } from "./uploads/file-routes.ts";
import { uploadRoutes } from "./uploads/handlers.ts";
import type { LaterOfUploads } from "./uploads/upload.ts";

/** `later`: what the content needs of later modules. */
export const contentModule = (later: LaterOfUploads): ModuleParts => ({
  exports: contentExports,
  projections: ({ keyring }) => [linkifiers, playgrounds, customEmoji, externalAddresses(keyring)],
  queues: () => ({ serializers: [linkifierSerializer] }),
  registerSections: () => [linkifierSection, playgroundSection, emojiSection],
  routes: (services) => [
    ...linkifierRoutes,
    ...playgroundRoutes,
    ...emojiRoutes(services),
    ...uploadRoutes(services, later.readableUploads),
    ...avatarRoutes(services),
    ...organizationPictureRoutes(services),
  ],
  fileRoutes: (services) => [...uploadFileRoutes(services, later)],
  redirects: [...avatarRedirects, ...organizationPictureRedirects],
  jobs: [forgetExternalContent, cleanUpUploads, cleanUpUploadsOf, deleteUnusedPicture],
  pages: (services) => [
    ...emojiFiles(services.files),
    ...pictureFiles(services.files),
    ...externalPictures(services),
  ],
});
