import { addSubmessage as addSubmessageEndpoint } from "../../../api/polls.ts";
import type { Route } from "../../platform/http/handler.ts";
import { changeContent } from "../users/change.ts";
import { route } from "../users/route.ts";
import { addSubmessage } from "./actions.ts";

export const submessageRoutes: Route[] = [
  route(addSubmessageEndpoint, async ({ viewer, params }) => {
    await changeContent(viewer, (tx) => addSubmessage(tx, params.messageId, params.content));
    return {};
  }),
];
