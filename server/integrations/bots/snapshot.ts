import { registerBots } from "../../../api/register/bots.ts";
import { users } from "../../people/user.ts";
import { type RegisterSection, sectionOf } from "../../people/viewer/register-section.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { derived } from "../../platform/log/derived.ts";
import { canManageBot, isBot, seesKeys } from "./access.ts";
import { readDetails } from "./details.ts";
import { presentBot } from "./present.ts";

const allBots = derived(
  (state) => state.get(users).version,
  (state) => [...state.get(users).all()].filter(isBot),
);

export function botSection(keyring: Keyring): RegisterSection {
  return sectionOf(registerBots, async ({ state, viewer, tx, wants }) => {
    if (!wants("realm_bot")) return undefined;
    if (!viewer) return { realm_bots: [] };
    const reader = { user: viewer.user, seesKeys: seesKeys(viewer) };
    const bots = allBots(state).filter((bot) => canManageBot(reader.user, bot));
    const details = await readDetails(
      state,
      tx,
      bots.map(({ id }) => id),
    );
    return {
      realm_bots: bots.flatMap((bot) => {
        const ofBot = details.get(bot.id);
        return ofBot ? [presentBot(state, keyring, reader, bot, ofBot)] : [];
      }),
    };
  });
}
