import { type Accessor, createEffect, createSignal } from "solid-js";
import { getChannelSubscribers } from "../../api/channels/subscriptions.ts";
import { CallError } from "../../client/call-error.ts";
import { state } from "../shared/state/state.ts";
import { whenBack } from "../shared/state/when-back.ts";
import { live } from "../ui/live.ts";

interface SubscriberIds {
  /** undefined: not here yet. */
  ids: Accessor<readonly number[] | undefined>;
  problem: Accessor<string | undefined>;
}

/**
 * The subscribers of a channel. The page's snapshot has none, since a large organization would have too many.
 * They are asked for when the section opens, and after each event that may change them.
 */
export function createSubscriberIds(channelId: number): SubscriberIds {
  const [ids, setIds] = createSignal<readonly number[]>();
  const [problem, setProblem] = createSignal<string>();
  const version = live(["subscribers", "generation"], () => ({}));
  let isAsking = false;
  let isStale = false;

  async function ask(): Promise<void> {
    if (isAsking) {
      isStale = true;
      return;
    }
    isAsking = true;
    try {
      do {
        isStale = false;
        const { subscribers } = await fetchSubscribers(channelId);
        setIds(subscribers);
        setProblem(undefined);
      } while (isStale);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setProblem(error.message);
    } finally {
      isAsking = false;
    }
  }

  whenBack(() => problem() !== undefined && void ask());
  createEffect(() => {
    version();
    void ask();
  });
  return { ids, problem };
}

export function fetchSubscribers(channelId: number): Promise<{ subscribers: readonly number[] }> {
  return state.track(async () => {
    const answer = await state.connection.call(getChannelSubscribers, { stream_id: channelId });
    return answer as { subscribers: readonly number[] };
  });
}
