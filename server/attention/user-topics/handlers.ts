import { setTopicVisibility, updateMutedTopic } from "../../../api/attention/user-topics.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { accessChannel, accessChannelByName } from "../../channels/access.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { chooseTopicPolicy } from "./choose.ts";
import { topicPolicies } from "./policy.ts";

export function userTopicRoutes({ config }: Pick<Services, "config">): Route[] {
  const quotas = new Quotas(config);
  return [
    route(setTopicVisibility, async ({ viewer, params }) => {
      const { streamId: channelId, topic, visibilityPolicy: policy } = params;
      await chooseTopicPolicy(viewer, quotas, { channelId, topic, policy });
      return {};
    }),
    route(updateMutedTopic, async ({ viewer, params }) => {
      const { stream, streamId, topic, op } = params;
      if (stream !== undefined && streamId !== undefined) {
        throw new ApiError(errors.incompatibleParameters, { first: "stream", second: "stream_id" });
      }
      if (stream === undefined && streamId === undefined) throw new ApiError(errors.missingStreamId);
      const channel =
        stream === undefined
          ? accessChannel(viewer, streamId as number)
          : accessChannelByName(viewer, stream);
      const policy = op === "add" ? topicPolicies.muted : topicPolicies.none;
      await chooseTopicPolicy(viewer, quotas, { channelId: channel.id, topic, policy });
      return {};
    }),
  ];
}
