import { sendTestWelcomeMessage } from "../../../api/welcome-message.ts";
import type { Route } from "../../platform/http/handler.ts";
import { changeContent } from "../users/change.ts";
import { route } from "../users/route.ts";
import { sendTestWelcome } from "./test-welcome.ts";

export const welcomeRoutes: readonly Route[] = [
  route(sendTestWelcomeMessage, async ({ viewer, params: { welcomeMessageCustomText } }) => {
    const messageId = await changeContent(viewer, (tx) => sendTestWelcome(tx, welcomeMessageCustomText));
    return { message_id: messageId() };
  }),
];
