import type { OrganizationId } from "../../api/ids.ts";
import { roles } from "../../api/roles.ts";
import type { Queryable } from "../platform/db/database.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { insertUser } from "./store.ts";
import { GENERIC_BOT, type User, users } from "./user.ts";

/**
 * Adds the account that posts the service's own messages. It appends no event: it is only for the transaction
 * that adds the organization, before anyone can have loaded it.
 */
export async function createNotificationBot(
  tx: Queryable,
  organizationId: OrganizationId,
  host: string,
): Promise<User> {
  return insertUser(tx, organizationId, {
    email: `notification-bot@${host}`,
    fullName: "Notification Bot",
    role: roles.member,
    botType: GENERIC_BOT,
    botOwnerId: null,
    passwordHash: null,
    isSystem: true,
  });
}

export function notificationBotOf(state: OrganizationState): User {
  const [bot] = state.get(users).system();
  if (!bot) throw new Error(`organization ${state.organizationId} has no notification bot`);
  return bot;
}
