/** The causes of events of people and of settings. */

import { updateDefaultUserSettings } from "../../../api/administration/default-user-settings.ts";
import { updateOrganization } from "../../../api/administration/organization.ts";
import {
  defaultUserSettingChanged,
  organizationUpdated,
  organizationUpdatedTogether,
} from "../../../api/events/organization.ts";
import { legacyPresenceChanged, presenceChanged } from "../../../api/events/presence.ts";
import { profileFieldsChanged } from "../../../api/events/profile-fields.ts";
import { userStatusChanged } from "../../../api/events/user-status.ts";
import {
  botOwnerChanged,
  displaySettingChanged,
  notificationSettingChanged,
  userActivated,
  userAdded,
  userAvatarChanged,
  userDeliveryEmailChanged,
  userEmailChanged,
  userProfileFieldChanged,
  userRenamed,
  userRoleChanged,
  userSettingChanged,
  userTimezoneChanged,
} from "../../../api/events/users.ts";
import { createBot, updateBot } from "../../../api/integrations/bots.ts";
import { updateUser } from "../../../api/people/update-users.ts";
import { createUser, updateSettings } from "../../../api/people/users.ts";
import { reportPresence } from "../../../api/profiles/presence.ts";
import { createProfileField } from "../../../api/profiles/profile-fields.ts";
import { updateOwnStatus } from "../../../api/profiles/user-status.ts";
import { deactivateUser } from "../../../server/people/actions.ts";
import { users } from "../../../server/people/user.ts";
import { runStateChange } from "../../../server/platform/log/change.ts";
import { reportPresence as noteReport } from "../../../server/profiles/presence/actions.ts";
import { byEach, type Scenario, type Scene, toAll } from "../scenario.ts";

export const peopleScenarios: readonly Scenario[] = [
  toAll(userAdded, "everyone", (scene) => scene.olga(createUser, newcomer(scene))),
  toAll(userActivated, "everyone", async (scene) => {
    const { state } = scene.harness;
    const { user_id } = await scene.olga(createUser, newcomer(scene));
    scene.begin();
    const target = state.get(users).find(user_id);
    if (target) await runStateChange(state, (tx) => deactivateUser(tx, target));
  }),
  toAll(userRoleChanged, "everyone", async (scene) => {
    const { user_id } = await scene.olga(createUser, newcomer(scene));
    scene.begin();
    await scene.olga(updateUser, { user_id, role: 300 });
  }),
  toAll(botOwnerChanged, "everyone", async ({ olga, pat, freshName, begin }) => {
    const bot = await olga(createBot, { full_name: `Bot ${freshName}`, short_name: freshName });
    begin();
    await olga(updateBot, { bot_id: bot.user_id, bot_owner_id: pat.id });
  }),
  toAll(userRenamed, "everyone", ({ olga, pat, freshName }) =>
    olga(updateUser, { user_id: pat.id, full_name: `Pat ${freshName}` }),
  ),
  toAll(userEmailChanged, "everyone", hideAddress),
  // Other initials give another drawn picture.
  toAll(userAvatarChanged, "everyone", async ({ olga, pat, freshName, begin }) => {
    await olga(updateUser, { user_id: pat.id, full_name: `Pat ${freshName}` });
    begin();
    await olga(updateUser, { user_id: pat.id, full_name: `Rosa ${freshName}` });
  }),
  toAll(userDeliveryEmailChanged, "everyone", hideAddress),
  toAll(userTimezoneChanged, "everyone", ({ olga }) => olga(updateSettings, { timezone: "Europe/Oslo" })),
  toAll(userProfileFieldChanged, "everyone", async ({ olga, pat, freshName, begin }) => {
    const { id } = await olga(createProfileField, { name: freshName, field_type: 1 });
    begin();
    await olga(updateUser, { user_id: pat.id, profile_data: [{ id, value: "*Soup*" }] });
  }),
  toAll(profileFieldsChanged, "everyone", ({ olga, freshName }) =>
    olga(createProfileField, { name: freshName, field_type: 1 }),
  ),
  toAll(presenceChanged, "everyone", ({ olga }) => olga(reportPresence, { status: "active" }), {
    clients: ["modern"],
  }),
  // She is there now, so somebody else comes.
  toAll(
    legacyPresenceChanged,
    "everyone",
    async ({ harness: { state }, pat }) => {
      const user = state.get(users).find(pat.id);
      if (user) await noteReport({ state, user, client: "test" }, "active");
    },
    { clients: ["plain"] },
  ),
  toAll(userStatusChanged, "everyone", ({ olga, freshName }) =>
    olga(updateOwnStatus, { status_text: freshName }),
  ),
  byEach(userSettingChanged, ({ self }) => self.call(updateSettings, { twenty_four_hour_time: true }), {
    clients: ["modern"],
  }),
  byEach(displaySettingChanged, ({ self }) => self.call(updateSettings, { starred_message_counts: false }), {
    clients: ["plain"],
  }),
  byEach(notificationSettingChanged, ({ self }) => self.call(updateSettings, { enable_sounds: false }), {
    clients: ["plain"],
  }),
  toAll(organizationUpdated, "everyone", ({ olga, freshName }) =>
    olga(updateOrganization, { name: freshName }),
  ),
  toAll(organizationUpdatedTogether, "everyone", ({ olga }) =>
    olga(updateOrganization, { allow_message_editing: false }),
  ),
  toAll(defaultUserSettingChanged, "everyone", ({ olga }) =>
    olga(updateDefaultUserSettings, { twenty_four_hour_time: true }),
  ),
];

async function hideAddress({ olga, begin }: Scene) {
  await olga(updateSettings, { email_address_visibility: 1 });
  begin();
  await olga(updateSettings, { email_address_visibility: 4 });
}

function newcomer({ freshName }: Scene) {
  return { email: `${freshName}@demo.test`, password: "a good start", full_name: "Faye Lind" };
}
