import { camelCase } from "../../api/camel-case.ts";
import { userSettings } from "../../api/people/user-settings.ts";
import {
  createUser,
  getOwnUser,
  getUser,
  getUserByEmail,
  getUsers,
  type updateSettings,
} from "../../api/people/users.ts";
import { roles } from "../../api/roles.ts";
import type { UserSetting } from "../../api/setting.ts";
import type { Route } from "../platform/http/handler.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import type { Services } from "../services.ts";
import { accessUser, accessUserByEmail } from "./access/access.ts";
import { canAccessUser } from "./access/user-access.ts";
import { createPerson, type JoinDefaultChannels } from "./create-person.ts";
import type { PrepareOwnLogin } from "./own-login.ts";
import { changeOwnName } from "./own-name.ts";
import { presentOwnUser, presentWithProfile, type UserForm } from "./present.ts";
import type { ProfileData, ReadProfileData } from "./profile-data.ts";
import { updateUserSettings } from "./settings/update-settings.ts";
import { type User, users } from "./user.ts";
import { writeUserList } from "./user-lists.ts";
import { changeState } from "./viewer/change.ts";
import { route } from "./viewer/route.ts";
import type { Viewer } from "./viewer/viewer.ts";

/** What the users' endpoints need of modules above them. */
export interface UserDependencies {
  /** What `PATCH /settings` can change, and its other paths. */
  settings: { endpoints: readonly (typeof updateSettings)[]; list: readonly UserSetting[] };
  /** undefined: the organization has no messages. */
  newestMessageId(state: OrganizationState): Promise<number | undefined>;
  joinDefaultChannels: JoinDefaultChannels;
  readProfileData: ReadProfileData;
  prepareOwnLogin: PrepareOwnLogin;
}

export function userRoutes(
  { keyring }: Pick<Services, "keyring">,
  { settings, newestMessageId, joinDefaultChannels, readProfileData, prepareOwnLogin }: UserDependencies,
): Route[] {
  const profilesOf = async (
    state: OrganizationState,
    list: readonly User[],
    { includeCustomProfileFields }: FormParameters,
  ): Promise<ProfileData> => {
    if (!includeCustomProfileFields) return new Map();
    const ids = list.map(({ id }) => id);
    return readProfileData(state, state.database, ids);
  };
  const presentOne = async (viewer: Viewer, user: User, params: FormParameters) => {
    const profiles = await profilesOf(viewer.state, [user], params);
    return { user: presentWithProfile(viewer.state, user, formOf(viewer, params), profiles) };
  };
  return [
    route(createUser, async ({ viewer, params: { email, fullName, password } }) => {
      const person = { email, fullName, password, role: roles.member };
      const { id } = await createPerson(keyring, viewer, person, joinDefaultChannels);
      return { user_id: id };
    }),
    route(getOwnUser, async ({ state, viewer }) => {
      const newest = (await newestMessageId(state)) ?? -1;
      const profiles = await readProfileData(state, state.database, [viewer.user.id]);
      return presentOwnUser(state, viewer.user, newest, profiles);
    }),
    route(getUsers, async ({ state, viewer, params }) => {
      const all = state.get(users);
      const named = params.userIds?.flatMap((id) => all.findManaged(id) ?? []) ?? [...all.all()];
      const known = named.filter((user) => canAccessUser(state, viewer.user, user));
      const list = [...new Set(known)];
      const profiles = await profilesOf(state, list, params);
      return { members: writeUserList(state, list, formOf(viewer, params), profiles) };
    }),
    route(getUser, ({ viewer, params }) => presentOne(viewer, accessUser(viewer, params.userId), params)),
    route(getUserByEmail, ({ viewer, params }) =>
      presentOne(viewer, accessUserByEmail(viewer, params.email), params),
    ),
    ...settings.endpoints.map((endpoint) =>
      route(endpoint, async ({ viewer, params, address }) => {
        const { fullName, email, oldPassword, newPassword } = params;
        const values = new Map(settings.list.map((setting) => [setting, params[camelCase(setting.name)]]));
        const login = {
          email: text(email),
          oldPassword: text(oldPassword),
          newPassword: text(newPassword),
          keepsApiKey: params.keepApiKey !== false,
          wantsLoginMails: params[camelCase(userSettings.enableLoginEmails.name)] !== false,
        };
        const changeOwnLogin = await prepareOwnLogin({ viewer, address }, login);
        await changeState(viewer, async (tx) => {
          await changeOwnLogin(tx);
          const user = fullName === undefined ? tx.viewer.user : await changeOwnName(tx, `${fullName}`);
          await updateUserSettings(tx, user, values);
        });
        return {};
      }),
    ),
  ];
}

/** The parameters of settings have one type, which these have a part of. */
function text(value: unknown): string | undefined {
  return value === undefined ? undefined : `${value}`;
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
