import { addCustomEmoji, deactivateCustomEmoji, getCustomEmoji } from "../../../api/content/emoji.ts";
import { changeState } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { deactivateEmoji } from "./actions.ts";
import { customEmoji } from "./custom-emoji.ts";
import { presentCustomEmoji } from "./present.ts";
import { uploadEmoji } from "./upload.ts";

export function emojiRoutes(services: Pick<Services, "config" | "database" | "files">): readonly Route[] {
  return [
    route(getCustomEmoji, ({ state }) => ({
      emoji: presentCustomEmoji(state.organizationId, state.get(customEmoji).byId.values()),
    })),
    route(addCustomEmoji, async ({ viewer, params, files }) => {
      await uploadEmoji(services, viewer, params.emojiName, files);
      return {};
    }),
    route(deactivateCustomEmoji, async ({ viewer, params }) => {
      await changeState(viewer, (tx) => deactivateEmoji(tx, params.emojiName));
      return {};
    }),
  ];
}
