import { organizationPermissions } from "../../../api/administration/organization-permissions.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { botTypes } from "../../../api/integrations/bots.ts";
import { roles } from "../../../api/roles.ts";
import { canDo } from "../../groups/group-setting.ts";
import { type User, users } from "../../people/user.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

/** A bot that somebody made, not an account of the service. */
export function isBot(user: User): boolean {
  return user.botType !== null && !user.isSystem;
}

/**
 * Whether the person may change the bot and see its key: its owner, and administrators. A key is as good as
 * its bot's role, so only owners of the organization may have that of a bot with their role.
 */
export function canManageBot(person: User, bot: User): boolean {
  if (!person.isActive || person.botType !== null || person.role >= roles.guest) return false;
  if (bot.botOwnerId === person.id) return true;
  return person.role <= roles.administrator && person.role <= bot.role;
}

/** Whether bots are shown with their keys and tokens. In a session each is asked for, with a proof. */
export function seesKeys({ credential }: Pick<Viewer, "credential">): boolean {
  return credential?.kind === "API key";
}

/** The people who may manage a bot. */
export function managersOf(state: OrganizationState, bot: User): User[] {
  return [...state.get(users).all()].filter((person) => canManageBot(person, bot));
}

/**
 * The bot of this id, active or not, if the viewer may manage it. Throws `botsNotAccepted`, `noSuchBot`,
 * `insufficientPermission`, and `mustBeOwner` for a bot with the role of an owner.
 */
export function accessBotToManage(viewer: Viewer, id: number): User {
  checkPerson(viewer);
  const bot = viewer.state.get(users).findManaged(id);
  if (!bot || !isBot(bot)) throw new ApiError(errors.noSuchBot);
  if (canManageBot(viewer.user, bot)) return bot;
  const isAdministrator = viewer.user.role <= roles.administrator;
  throw new ApiError(isAdministrator ? errors.mustBeOwner : errors.insufficientPermission);
}

/** Throws `botsNotAccepted`, and `insufficientPermission` for one who may not make bots of this type. */
export function checkMayCreate(viewer: Viewer, botType: number): void {
  checkPerson(viewer);
  const { state, user } = viewer;
  const isAllowed =
    canDo(state, organizationPermissions.canCreateBots, user) ||
    (botType === botTypes.incomingWebhook &&
      canDo(state, organizationPermissions.canCreateWriteOnlyBots, user));
  if (!isAllowed) throw new ApiError(errors.insufficientPermission);
}

/** Throws `onlyForBots` for a person. */
export function checkBot({ user }: Viewer): void {
  if (user.botType === null) throw new ApiError(errors.onlyForBots);
}
