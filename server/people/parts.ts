import { userSettingList } from "../../api/people/user-settings.ts";
import { updateDisplaySettings, updateNotificationSettings, updateSettings } from "../../api/people/users.ts";
import type { ModuleParts } from "../module-parts.ts";
import type { Services } from "../services.ts";
import { guestContacts } from "./access/guest-contacts.ts";
import { apiKeys } from "./api-keys.ts";
import { userDeactivationRoutes } from "./deactivate/handlers.ts";
import type { CheckBotReturns } from "./deactivate/reactivate.ts";
import { emailChanges } from "./email/email-changes.ts";
import { legacySettingsSerializers, userSerializer } from "./event-serializer.ts";
import { peopleExports } from "./exports.ts";
import { type UserDependencies, userRoutes } from "./handlers.ts";
import type { NoteNewAddress } from "./own-login.ts";
import { defaultPictureChanges } from "./pictures/picture-changes.ts";
import type { ReadEverybodysProfileData, SetProfileData } from "./profile-data.ts";
import { flatSettingSection, userSection } from "./snapshot.ts";
import { userUpdateRoutes } from "./update/handlers.ts";
import { users } from "./user.ts";

/** What the people need of later modules. */
interface Later extends Omit<UserDependencies, "settings" | "prepareOwnLogin"> {
  prepareOwnLogin(
    services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
  ): UserDependencies["prepareOwnLogin"];
  noteNewAddress(services: Pick<Services, "keyring" | "mailer">): NoteNewAddress;
  readEverybodysProfileData: ReadEverybodysProfileData;
  setProfileData(services: Pick<Services, "config">): SetProfileData;
  checkBotReturns: CheckBotReturns;
}

export const peopleModule = (later: Later): ModuleParts => ({
  exports: peopleExports(later.readProfileData),
  projections: () => [users, guestContacts, apiKeys],
  beforeCommitHooks: () => [emailChanges, defaultPictureChanges],
  queues: () => ({ serializers: [userSerializer, ...legacySettingsSerializers] }),
  registerSections: () => [userSection(later.readEverybodysProfileData), flatSettingSection],
  routes: (services) => [
    ...userRoutes(services, {
      settings: {
        endpoints: [updateSettings, updateDisplaySettings, updateNotificationSettings],
        list: userSettingList,
      },
      newestMessageId: later.newestMessageId,
      joinDefaultChannels: later.joinDefaultChannels,
      readProfileData: later.readProfileData,
      prepareOwnLogin: later.prepareOwnLogin(services),
    }),
    ...userUpdateRoutes(later.setProfileData(services), later.noteNewAddress(services)),
    ...userDeactivationRoutes(services, later.checkBotReturns),
  ],
});
