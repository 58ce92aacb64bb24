import { roles } from "../../../api/roles.ts";
import { createUser } from "../../../api/users.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { route } from "../users/route.ts";
import { createPerson } from "./create-person.ts";

export function setupRoutes(services: Services): Route[] {
  return [
    route(createUser, async ({ viewer, params }) => {
      const { email, fullName, password } = params;
      const { id } = await createPerson(services, viewer, { email, fullName, password, role: roles.member });
      return { user_id: id as number };
    }),
  ];
}
