import { addSubmessage as addSubmessageEndpoint } from "../../../api/messages/polls.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { addSubmessage } from "./actions.ts";

export const submessageRoutes: Route[] = [
  route(addSubmessageEndpoint, async ({ viewer, params }) => {
    await changeContent(viewer, (tx) => addSubmessage(tx, params.messageId, params.content));
    return {};
  }),
];
