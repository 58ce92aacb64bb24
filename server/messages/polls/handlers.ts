import { addSubmessage as addSubmessageEndpoint } from "../../../api/messages/polls.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { changeAdditions } from "../change-additions.ts";
import { addSubmessage } from "./actions.ts";

export const submessageRoutes: Route[] = [
  route(addSubmessageEndpoint, async ({ viewer, params }) => {
    const { messageId, content } = params;
    await changeAdditions(viewer, messageId, (tx) => addSubmessage(tx, messageId, content));
    return {};
  }),
];
