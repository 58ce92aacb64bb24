import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import type { OrganizationId } from "../../../api/ids.ts";
import { createChannel } from "../../channels/create/create.ts";
import { subscribe } from "../../channels/subscriptions/subscribe.ts";
import { createSystemGroups } from "../../groups/create.ts";
import { postMessage } from "../../messages/send/post.ts";
import { changeOrganization } from "../../organization/actions.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { addOrganization } from "../../organization/create.ts";
import { parseHost, parseOrganizationName } from "../../organization/names.ts";
import { createFirstOwner } from "../../people/actions.ts";
import { createNotificationBot } from "../../people/notification-bot.ts";
import { type User, users } from "../../people/user.ts";
import { changeState } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { hashNewPassword, operatorTurn, type PasswordTurn } from "../../platform/crypto/passwords.ts";
import type { Transaction } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { useAllInvitations } from "./store.ts";

/** The channel in which new people meet. */
export const FIRST_CHANNEL = "general";
const FIRST_TOPIC = "how topics work";

const aboutTopics = `Welcome! This is a **topic**. Each message in a channel belongs to one.

* A topic is about one thing, such as a question or a plan. Its name says what that is.
* To begin one, choose **New topic** in this channel, and give it a name of a few words.
* To answer, write in the topic. So several conversations go on at once, and none gets lost.
* You can catch up topic by topic, follow those that matter to you, and mute the others.
* When something is settled, mark its topic as resolved.

Try it: answer here, or begin a topic to say hello.`;

export interface NewOrganization {
  name: string;
  /** The host name under which it answers, without a port. */
  host: string;
  owner: { email: string; fullName: string; password: string };
  /** Whether the default channel begins with a topic that explains topics, and announces people who join. */
  hasFirstTopic?: boolean;
  /** Where the owner's password waits for its hash. By default it waits for nobody. */
  turn?: PasswordTurn;
}

/**
 * Creates an organization with its owner, its system groups, its notification bot and a default channel. The
 * organization and its owner are written in one transaction. So when several calls on any nodes use one host
 * name at once, one succeeds and the others throw. `claim` runs first in that transaction, and an error from
 * it stops everything. By default it uses up the open invitations.
 */
export async function createOrganization(
  services: Pick<Services, "database" | "keyring" | "organizations">,
  { name, host, owner, hasFirstTopic = false, turn = operatorTurn }: NewOrganization,
  claim: (tx: Transaction) => Promise<void> = useAllInvitations,
): Promise<{ state: OrganizationState; owner: Viewer; passwordHash: string }> {
  const { database, organizations, keyring } = services;
  const passwordHash = await hashNewPassword(owner.password, [owner.email, owner.fullName, name], turn);
  const { id, ownerId } = await database.transaction(async (tx) => {
    await claim(tx);
    const id: OrganizationId = await addOrganization(tx, { name, host });
    await createSystemGroups(tx, id);
    const { id: ownerId } = await createFirstOwner(tx, keyring, id, { ...owner, passwordHash });
    await createNotificationBot(tx, id, parseHost(host));
    const changes = changesBetween(
      {},
      { name: parseOrganizationName(name), host: parseHost(host), owner_id: ownerId },
    );
    const change = { query: tx.query, state: { organizationId: id } };
    await recordAudit(change, { action: "organization_created", changes });
    return { id, ownerId };
  });
  organizations.forgetUnknown();
  const state = await organizations.byId(id);
  const viewer: Viewer = { state, user: state.get(users).byId.get(ownerId) as User, client: "internal" };
  await createFirstChannel({ ...viewer, isOperator: true }, hasFirstTopic);
  return { state, owner: viewer, passwordHash };
}

async function createFirstChannel(viewer: Viewer, hasFirstTopic: boolean): Promise<void> {
  await changeState(viewer, async (tx) => {
    const channel = await createChannel(tx, {
      name: FIRST_CHANNEL,
      description: "For everyone in the organization.",
      isDefault: true,
    });
    await subscribe(tx, [channel], [viewer.user]);
    if (!hasFirstTopic) return;
    const setting = organizationSettings.signupAnnouncementsStreamId;
    const announced = [{ property: setting.name, value: channel.id }];
    await changeOrganization(
      tx,
      { settings: { [setting.name]: channel.id } },
      { alone: announced, together: {} },
    );
    await postMessage(tx, {
      to: { channel, topic: FIRST_TOPIC },
      content: aboutTopics,
      changedChannels: [channel],
    });
  });
}
