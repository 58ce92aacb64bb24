import type { ModuleExports, RecordsRequest } from "../module-exports.ts";
import { canSeeEmail } from "./email/email-visibility.ts";
import { hasConsented } from "./export-consent.ts";
import type { ReadProfileData } from "./profile-data.ts";
import { type User, users } from "./user.ts";

/** People whose profiles are read at once. */
const AT_ONCE = 1000;

export const peopleExports = (readProfileData: ReadProfileData): ModuleExports => ({
  tables: ["users"],
  leftOut: {
    api_keys: "They are credentials.",
    guest_contacts: "Whom a guest knows follows from subscriptions and messages.",
    quota_usage: "It counts what people did within the last hour.",
  },
  records: (request) => ({ users: userRecords(request, readProfileData) }),
});

async function* userRecords(
  { state, reader }: RecordsRequest,
  readProfileData: ReadProfileData,
): AsyncGenerator<object> {
  const all = [...state.get(users).byId.values()];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const some = all.slice(start, start + AT_ONCE);
    const ids = some.map(({ id }) => id);
    const profiles = await state.database.transaction((tx) => readProfileData(state, tx, ids), {
      lane: "background",
    });
    for (const user of some) yield userRecord(user, profiles.get(user.id), reader);
  }
}

function userRecord(user: User, profileData: string | undefined, reader: User | undefined) {
  return {
    id: user.id,
    email: reader === undefined || canSeeEmail(reader, user) ? user.email : null,
    full_name: user.fullName,
    role: user.role,
    is_active: user.isActive,
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    is_system: user.isSystem,
    timezone: user.timezone,
    date_joined: user.joinedAt,
    consented: hasConsented(user),
    profile_data: JSON.parse(profileData ?? "{}") as unknown,
  };
}
