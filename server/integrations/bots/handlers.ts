import { ApiError, errors } from "../../../api/errors.ts";
import {
  botTypes,
  createBot as createBotEndpoint,
  deactivateBot,
  getBotApiKey,
  getBotStorage,
  getBots,
  regenerateBotApiKey,
  removeBotStorage,
  updateBot as updateBotEndpoint,
  updateBotStorage,
} from "../../../api/integrations/bots.ts";
import { storePicture } from "../../content/avatars/pictures.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { deactivateUser, giveApiKey } from "../../people/actions.ts";
import { readApiKey, showApiKey } from "../../people/credentials.ts";
import { avatarUrl } from "../../people/pictures/picture.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { users } from "../../people/user.ts";
import { changeContent, changeState } from "../../people/viewer/change.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import { route } from "../../people/viewer/route.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { ReceivedFile } from "../../platform/http/received-files.ts";
import type { Services } from "../../services.ts";
import { accessBotToManage, checkMayCreate, isBot, seesKeys } from "./access.ts";
import { createBot } from "./create-bot.ts";
import { readBotRow, readDetails } from "./details.ts";
import { presentBot, presentDefaults, presentServices } from "./present.ts";
import { readStorage, removeStorage, writeStorage } from "./storage.ts";
import { parseDefaults, updateBot } from "./update-bot.ts";

export function botRoutes(services: Pick<Services, "config" | "files" | "keyring">): Route[] {
  const { config, keyring } = services;
  const quotas = new Quotas(config);
  return [
    route(getBots, async ({ viewer }) => {
      checkPerson(viewer);
      return { bots: await presentOwnBots(viewer) };
    }),
    route(createBotEndpoint, async ({ state, viewer, params, files }) => {
      const { botType = botTypes.generic, interfaceType, configData } = params;
      checkMayCreate(viewer, botType);
      const avatarFile = await storeAvatar(viewer, files);
      const bot = await changeState(viewer, async (tx) => {
        checkMayCreate(tx.viewer, botType);
        if (botType === botTypes.embedded) throw new ApiError(errors.embeddedBotsNotEnabled);
        const defaults = parseDefaults(tx.viewer, params);
        const owner = tx.viewer.user;
        const given = {
          ...params,
          owner,
          botType,
          interface: interfaceType,
          config: configData,
          defaults,
          avatarFile,
        };
        const created = await createBot(tx, keyring, given);
        await quotas.use(tx, "bots");
        return created;
      });
      return {
        user_id: bot.id,
        api_key: await readApiKey(state, keyring, bot.id),
        avatar_url: avatarUrl(state, bot, false),
        ...presentDefaults(state, viewer.user, await readBotRow(state, state.database, bot.id)),
      };
    }),
    route(updateBotEndpoint, async ({ state, viewer, params, files }) => {
      accessBotToManage(viewer, params.botId);
      const avatarFile = await storeAvatar(viewer, files);
      const update = { ...params, avatarFile };
      const { bot, row } = await changeState(viewer, (tx) => updateBot(tx, keyring, params.botId, update));
      const owner = bot.botOwnerId === null ? undefined : state.get(users).byId.get(bot.botOwnerId);
      return {
        full_name: bot.fullName,
        avatar_url: avatarUrl(state, bot, false),
        ...(owner && { bot_owner: owner.email }),
        service_payload_url: row.payloadUrl,
        service_interface: row.interface,
        // Such settings may be what its program signs in with elsewhere.
        ...(seesKeys(viewer) && { config_data: row.config }),
        ...presentDefaults(state, viewer.user, row),
      };
    }),
    route(deactivateBot, async ({ viewer, params }) => {
      await changeState(viewer, async (tx) => {
        const bot = accessBotToManage(tx.viewer, params.botId);
        if (!bot.isActive) throw new ApiError(errors.targetDeactivated);
        await deactivateUser(tx, bot);
      });
      return {};
    }),
    route(getBotApiKey, ({ viewer, params }) =>
      changeContent(viewer, async (tx) => {
        const bot = accessBotToManage(tx.viewer, params.botId);
        const api_key = await showApiKey(tx, keyring, bot.id);
        return { api_key, services: presentServices(keyring, await readBotRow(tx.state, tx, bot.id)) };
      }),
    ),
    route(regenerateBotApiKey, async ({ viewer, params }) => ({
      api_key: await changeState(viewer, async (tx) => {
        const bot = accessBotToManage(tx.viewer, params.botId);
        await quotas.use(tx, "API keys");
        await recordAudit(tx, { action: "api_key_regenerated", targetId: bot.id });
        return giveApiKey(tx, keyring, bot.id);
      }),
    })),
    route(getBotStorage, async ({ viewer, params }) => ({ storage: await readStorage(viewer, params.keys) })),
    route(updateBotStorage, async ({ viewer, params }) => {
      await changeContent(viewer, (tx) => writeStorage(tx, params.storage));
      return {};
    }),
    route(removeBotStorage, async ({ viewer, params }) => {
      await changeContent(viewer, (tx) => removeStorage(tx, params.keys));
      return {};
    }),
  ];

  /** The name of the files of the picture that came with the call, if one did. */
  async function storeAvatar(viewer: Viewer, files: readonly ReceivedFile[]): Promise<string | undefined> {
    return files.length === 0 ? undefined : storePicture(services, viewer, "avatar", files);
  }

  async function presentOwnBots(viewer: Viewer) {
    const { state, user } = viewer;
    const reader = { user, seesKeys: seesKeys(viewer) };
    const own = [...state.get(users).all()]
      .filter((bot) => isBot(bot) && bot.isActive && bot.botOwnerId === user.id)
      .sort((one, other) => one.id - other.id);
    const details = await readDetails(
      state,
      state.database,
      own.map(({ id }) => id),
    );
    return own.flatMap((bot) => {
      const ofBot = details.get(bot.id);
      if (!ofBot) return [];
      const record = presentBot(state, keyring, reader, bot, ofBot);
      return [{ ...record, username: record.email }];
    });
  }
}
