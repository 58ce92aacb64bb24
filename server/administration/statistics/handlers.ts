import { getStatistics, getStorageStatistics } from "../../../api/administration/statistics.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { DEFAULT_STATISTICS_DAYS } from "../../../api/limits.ts";
import { canSeeChannel } from "../../channels/access.ts";
import { channels } from "../../channels/channel.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { presentDay } from "./present.ts";
import { isDay, readStatistics, today } from "./read.ts";
import { readStorage, topShares } from "./storage.ts";

export const statisticsRoutes: readonly Route[] = [
  route(
    getStatistics,
    async ({ state, viewer, params: { days = DEFAULT_STATISTICS_DAYS, to = today() } }) => {
      if (!isDay(to)) throw new ApiError(errors.invalidDay, { day: to });
      const statistics = await readStatistics(state, { days, to });
      const { byId } = state.get(channels);
      return {
        counted_at: statistics.countedAt ? Math.floor(statistics.countedAt.getTime() / 1000) : null,
        days: statistics.days.map(presentDay),
        channels: statistics.channels.flatMap(({ channelId, messages }) => {
          const channel = byId.get(channelId);
          return channel && canSeeChannel(state, viewer.user, channel)
            ? [{ stream_id: channelId, messages }]
            : [];
        }),
      };
    },
  ),
  route(getStorageStatistics, async ({ state, viewer }) => {
    const storage = await readStorage(state);
    const { byId } = state.get(channels);
    const people = topShares(storage.people);
    const ofChannels = topShares(storage.channels, (id) => {
      const channel = byId.get(id);
      return channel !== undefined && canSeeChannel(state, viewer.user, channel);
    });
    return {
      people: people.top.map(({ id, bytes }) => ({ user_id: id, bytes })),
      other_people: people.others,
      channels: ofChannels.top.map(({ id, bytes }) => ({ stream_id: id, bytes })),
      other_channels: ofChannels.others,
    };
  }),
];
