import { eraseUser } from "../../../api/people/erase-user.ts";
import { changeState } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { erasePerson } from "./actions.ts";

export const erasureRoutes = (services: Pick<Services, "keyring">): readonly Route[] => [
  route(eraseUser, async ({ viewer, params: { userId, messages = "keep" } }) => {
    const keepsMessages = messages === "keep";
    await changeState(viewer, (tx) => erasePerson(tx, services, { userId, keepsMessages }));
    return {};
  }),
];
