/** The people of the demo, their channels and groups. */

import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import type { FolderId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { updateOrganization } from "../../administration/settings/update-organization.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { createChannel } from "../../channels/create/create.ts";
import { createDefaultGroup } from "../../channels/defaults/actions.ts";
import { defaultGroups } from "../../channels/defaults/default-groups.ts";
import { createChannelFolder } from "../../channels/folders/actions.ts";
import { subscribe } from "../../channels/subscriptions/subscribe.ts";
import { createUser } from "../../people/actions.ts";
import { updateUserSettings } from "../../people/settings/update-settings.ts";
import type { User } from "../../people/user.ts";
import { changeState, type ViewerChange } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { hashPassword } from "../../platform/crypto/passwords.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import {
  type CastName,
  DEMO_PASSWORD,
  type DemoChannel,
  demoFolders,
  echoBot,
  firstChannels,
  laterChannels,
  people,
} from "./cast.ts";
import { type Colleague, colleagues } from "./colleagues.ts";
import { Cast, emailOf } from "./demo-cast.ts";

/** The default group of channels, which an earlier version made when it had no colleagues. */
const ENGINEERS = "Engineers";

/** Whether the demo was made before it had all these people. It stays as it is. */
export function isOfEarlierVersion(state: OrganizationState): boolean {
  const isThere = [...state.get(defaultGroups).values()].some(({ name }) => name === ENGINEERS);
  return isThere && !hasColleagues(new Cast(state));
}

/** Makes those with whom one tries things out. */
export async function addFirstPeople({ keyring }: Pick<Services, "keyring">, ada: Viewer): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  await changeState(ada, async (tx) => {
    if (new Cast(tx.state).find("gus")) return;
    const made = new Map<CastName, User>([["ada", ada.user]]);
    for (const [name, { email, fullName, role }] of Object.entries(people)) {
      if (name === "ada") continue;
      made.set(name as CastName, await createUser(tx, keyring, { email, fullName, role, passwordHash }));
    }
    const botOwnerId = made.get("ben")?.id;
    const bot = { ...echoBot, passwordHash: null, botType: 1, botOwnerId };
    made.set("echo", await createUser(tx, keyring, bot));
    await createChannels(tx, made, firstChannels);
    await updateOrganization(tx, {
      name: undefined,
      values: new Map([[organizationSettings.enableSpectatorAccess, true]]),
      permissions: new Map(),
    });
  });
}

/** Makes everybody else, and the channels that they need. */
export async function addColleagues({ keyring }: Pick<Services, "keyring">, ada: Viewer): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  await changeState(ada, async (tx) => {
    const cast = new Cast(tx.state);
    if (hasColleagues(cast)) return;
    const known = [...Object.keys(people), "echo"] as CastName[];
    const made = new Map<CastName, User>(known.map((name) => [name, cast.user(name)]));
    for (const [key, { fullName, role, timezone }] of Object.entries<Colleague>(colleagues)) {
      const name = key as CastName;
      const user = await createUser(tx, keyring, { email: emailOf(name), fullName, role, passwordHash });
      await updateUserSettings(tx, user, new Map([[userSettings.timezone, timezone]]));
      made.set(name, user);
    }
    for (const { name, joinedLater = [] } of firstChannels as readonly DemoChannel[]) {
      const channel = tx.state.get(channels).findByName(name) as Channel;
      await subscribe(tx, [channel], usersOf(made, joinedLater));
    }
    await createChannels(tx, made, laterChannels);
    await createDefaultGroup(tx, {
      name: ENGINEERS,
      description: "For those who build the app.",
      channelNames: ["engineering"],
    });
    await updateOrganization(tx, {
      name: undefined,
      values: new Map<typeof organizationSettings.messageContentEditLimitSeconds, number | null>([
        // Messages that are days old are there to be edited.
        [organizationSettings.messageContentEditLimitSeconds, null],
      ]),
      permissions: new Map(),
    });
  });
}

function hasColleagues(cast: Cast): boolean {
  return cast.find("zoe") !== undefined;
}

function usersOf(made: ReadonlyMap<CastName, User>, names: readonly CastName[]): User[] {
  return names.map((name) => made.get(name) as User);
}

/** Makes the channels, unless they exist, and the folders that no channel is in yet. */
async function createChannels(
  tx: ViewerChange,
  made: ReadonlyMap<CastName, User>,
  created: readonly DemoChannel[],
): Promise<void> {
  const folders = foldersInUse(tx.state);
  for (const { members, joinedLater: _, folder, ...request } of created) {
    if (folder && !folders.has(folder)) {
      folders.set(folder, (await createChannelFolder(tx, demoFolders[folder])).id);
    }
    const folderId = folder ? (folders.get(folder) ?? null) : null;
    const existing = tx.state.get(channels).findByName(request.name);
    const channel = existing ?? (await createChannel(tx, { ...request, folderId }));
    await subscribe(tx, [channel], usersOf(made, members));
  }
}

function foldersInUse(state: OrganizationState): Map<keyof typeof demoFolders, FolderId> {
  const folders = new Map<keyof typeof demoFolders, FolderId>();
  for (const { name, folder } of firstChannels as readonly DemoChannel[]) {
    const folderId = state.get(channels).findByName(name)?.folderId;
    if (folder && folderId) folders.set(folder, folderId);
  }
  return folders;
}
