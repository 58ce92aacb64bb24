import { getStatistics } from "../../../api/administration/statistics.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { DEFAULT_STATISTICS_DAYS } from "../../../api/limits.ts";
import { canSeeChannel } from "../../channels/access.ts";
import { channels } from "../../channels/channel.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { presentDay } from "./present.ts";
import { isDay, readStatistics, today } from "./read.ts";

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
];
