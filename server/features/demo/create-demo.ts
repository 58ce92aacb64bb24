import { organizationSettings } from "../../../api/organization-settings.ts";
import { hashPassword } from "../../platform/crypto/passwords.ts";
import { analyze } from "../../platform/db/analyze.ts";
import { lockClasses, lockToCommit } from "../../platform/db/locks.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { channels } from "../channels/channel.ts";
import { createChannel } from "../channels/create/create.ts";
import { createChannelFolder } from "../channels/folders/actions.ts";
import { subscribe } from "../channels/subscriptions/subscribe.ts";
import { type Addressee, sendMessage } from "../messages/send/send.ts";
import { updateOrganization } from "../organization-settings/update-organization.ts";
import { createOrganization } from "../setup/create-organization.ts";
import { createUser } from "../users/actions.ts";
import { changeState, type ViewerChange } from "../users/change.ts";
import { type User, users } from "../users/user.ts";
import type { Viewer } from "../users/viewer.ts";
import {
  type CastName,
  DEMO_PASSWORD,
  type DemoChannel,
  demoChannels,
  demoFolder,
  echoBot,
  people,
} from "./cast.ts";
import { conversations } from "./conversations.ts";
import { furnish } from "./furnish.ts";

/** The database holds another organization. The message is a sentence for the person who started the demo. */
export class NotTheDemo extends Error {}

/** Creates the demo organization unless it exists. Several servers that start at once create it once. */
export async function createDemo(services: Services, host: string): Promise<void> {
  let isNew = false;
  await services.database.transaction(async (tx) => {
    // LOCK: held while other connections do the work. It is freed with this connection if the process dies.
    await lockToCommit(tx, lockClasses.demo, 0);
    const state = (await services.organizations.primary()) ?? (await createDemoOrganization(services, host));
    await state.catchUp();
    const ada = state.get(users).findByEmail(people.ada.email);
    if (!ada) {
      throw new NotTheDemo(
        "This data belongs to another organization, so the demo can't use it. Set PARLEY_DATA_DIR to another directory.",
      );
    }
    const last = demoChannels.at(-1)?.name as string;
    if (state.get(channels).findByName(last)) return;
    const viewer: Viewer = { state, user: ada, client: "website" };
    await populate(services, viewer);
    await furnish(viewer, await sendMessages(state));
    isNew = true;
  });
  if (isNew) {
    const tables = ["users", "channels", "subscriptions", "log_positions", "messages", "topics"] as const;
    await analyze(services.database, tables);
  }
}

async function createDemoOrganization(services: Services, host: string): Promise<OrganizationState> {
  const { email, fullName } = people.ada;
  const owner = { email, fullName, password: DEMO_PASSWORD };
  const { state } = await createOrganization(services, { name: "Demo", host, owner });
  return state;
}

/** Creates people and channels in one transaction, so that an interrupted start leaves nothing half done. */
async function populate({ keyring }: Services, ada: Viewer): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  await changeState(ada, async (tx) => {
    const cast = new Map<CastName, User>([["ada", ada.user]]);
    for (const [name, { email, fullName, role }] of Object.entries(people)) {
      if (name === "ada") continue;
      cast.set(name as CastName, await createUser(tx, keyring, { email, fullName, role, passwordHash }));
    }
    const botOwnerId = cast.get("ben")?.id;
    cast.set(
      "echo",
      await createUser(tx, keyring, { ...echoBot, passwordHash: null, botType: 1, botOwnerId }),
    );
    await createChannels(tx, cast);
    await updateOrganization(tx, {
      name: undefined,
      values: new Map([[organizationSettings.enableSpectatorAccess, true]]),
      permissions: new Map(),
    });
  });
}

async function createChannels(tx: ViewerChange, cast: ReadonlyMap<CastName, User>): Promise<void> {
  const folder = await createChannelFolder(tx, demoFolder);
  for (const { members, isInFolder, ...request } of demoChannels as readonly DemoChannel[]) {
    const existing = tx.state.get(channels).findByName(request.name);
    const channel =
      existing ?? (await createChannel(tx, { ...request, folderId: isInFolder ? folder.id : null }));
    await subscribe(
      tx,
      [channel],
      members.map((name) => cast.get(name) as User),
    );
  }
}

/** Returns the id of the last message. */
async function sendMessages(state: OrganizationState): Promise<number> {
  const all = state.get(users);
  const userOf = (name: CastName) =>
    all.findByEmail((name === "echo" ? echoBot : people[name]).email) as User;
  let lastId = 0;
  for (const { to, lines } of conversations) {
    const addressee: Addressee =
      "people" in to
        ? { kind: "direct", userIds: to.people.map((name) => userOf(name).id) }
        : { kind: "channel", channel: { name: to.channel }, topic: to.topic };
    for (const [name, content] of lines) {
      const viewer = { state, user: userOf(name), client: name === "echo" ? "echo bot" : "website" };
      lastId = await sendMessage(viewer, { to: addressee, content, localEcho: null, readBySender: null });
    }
  }
  return lastId;
}
