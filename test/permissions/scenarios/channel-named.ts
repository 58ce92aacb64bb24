import { channels } from "../../../server/channels/channel.ts";
import type { Harness } from "../../harness/harness.ts";

export function channelNamed({ state }: Harness, name: string): number | undefined {
  return state.get(channels).findByName(name)?.id;
}
