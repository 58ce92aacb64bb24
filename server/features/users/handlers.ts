import { camelCase } from "../../../api/camel-case.ts";
import { roles } from "../../../api/roles.ts";
import type { UserSetting } from "../../../api/setting.ts";
import {
  createUser,
  getOwnUser,
  getUser,
  getUserByEmail,
  getUsers,
  type updateSettings,
} from "../../../api/users.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { accessUser, accessUserByEmail } from "./access.ts";
import { changeState } from "./change.ts";
import { createPerson, type JoinDefaultChannels } from "./create-person.ts";
import { presentOwnUser, presentUser, type UserForm } from "./present.ts";
import { route } from "./route.ts";
import { updateUserSettings } from "./update-settings.ts";
import { users } from "./user.ts";
import { writeUserList } from "./user-lists.ts";
import type { Viewer } from "./viewer.ts";

/** What the users' endpoints need of modules above them. */
export interface UserDependencies {
  /** What `PATCH /settings` can change. */
  settings: { endpoint: typeof updateSettings; list: readonly UserSetting[] };
  /** undefined: the organization has no messages. */
  newestMessageId(state: OrganizationState): Promise<number | undefined>;
  joinDefaultChannels: JoinDefaultChannels;
}

export function userRoutes(
  { keyring }: Services,
  { settings, newestMessageId, joinDefaultChannels }: UserDependencies,
): Route[] {
  return [
    route(createUser, async ({ viewer, params: { email, fullName, password } }) => {
      const person = { email, fullName, password, role: roles.member };
      const { id } = await createPerson(keyring, viewer, person, joinDefaultChannels);
      return { user_id: id };
    }),
    route(getOwnUser, async ({ state, viewer }) =>
      presentOwnUser(state, viewer.user, (await newestMessageId(state)) ?? -1),
    ),
    route(getUsers, ({ state, viewer, params }) => {
      const all = state.get(users);
      const list = params.userIds?.flatMap((id) => all.findManaged(id) ?? []) ?? [...all.all()];
      return { members: writeUserList(state, [...new Set(list)], formOf(viewer, params)) };
    }),
    route(getUser, ({ state, viewer, params }) => ({
      user: presentUser(state, accessUser(viewer, params.userId), formOf(viewer, params)),
    })),
    route(getUserByEmail, ({ state, viewer, params }) => ({
      user: presentUser(state, accessUserByEmail(viewer, params.email), formOf(viewer, params)),
    })),
    route(settings.endpoint, async ({ viewer, params }) => {
      const values = new Map(settings.list.map((setting) => [setting, params[camelCase(setting.name)]]));
      await changeState(viewer, (tx) => updateUserSettings(tx, tx.viewer.user, values));
      return {};
    }),
  ];
}

interface FormParameters {
  clientGravatar?: boolean | undefined;
  includeCustomProfileFields?: boolean | undefined;
}

function formOf(
  { user: reader }: Viewer,
  { clientGravatar = true, includeCustomProfileFields = false }: FormParameters,
): UserForm {
  return { clientGravatar, profileData: includeCustomProfileFields, reader };
}
