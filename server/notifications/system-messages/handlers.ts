import { sendTestWelcomeMessage } from "../../../api/notifications/welcome-message.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { sendTestWelcome } from "./test-welcome.ts";

export const welcomeRoutes: readonly Route[] = [
  route(sendTestWelcomeMessage, async ({ viewer, params: { welcomeMessageCustomText } }) => {
    const messageId = await changeContent(viewer, (tx) => sendTestWelcome(tx, welcomeMessageCustomText));
    return { message_id: messageId() };
  }),
];
