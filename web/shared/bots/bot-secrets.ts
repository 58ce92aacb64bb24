/**
 * What a bot's program signs in with, and what the server shows it. A session gets neither with the bot, so
 * each is fetched when a person wants to see it, and forgotten with the place that shows it. A key that was
 * replaced elsewhere is forgotten at once. The event of that has no key, so it is told from one's own
 * replacement by counting.
 */
import { createEffect, createSignal, on } from "solid-js";
import { getBotApiKey, regenerateBotApiKey } from "../../../api/integrations/bots.ts";
import { live } from "../../ui/live.ts";
import { GIVEN_UP, type Saving } from "../../ui/saving.tsx";
import { type Proof, runWithProof, withProof } from "../proof/proof.tsx";
import { state } from "../state/state.ts";

export interface BotSecrets {
  /** undefined: not shown. */
  apiKey(): string | undefined;
  /** Whether the key that was shown is no longer the bot's. */
  isReplaced(): boolean;
  /** The token for each service, in their order. undefined: not shown. */
  tokens(): readonly string[] | undefined;
  /** `saving`: of the place where they are shown. */
  show(saving: Saving): void;
  hide(): void;
  /** Replaces the key, and shows the new one. Throws what `withProof` throws. */
  replace(): Promise<void>;
}

/** `apiKey`: of a bot that was just made. */
export function createBotSecrets(bot_id: number, apiKey?: string): BotSecrets {
  const [key, setKey] = createSignal(apiKey);
  const [tokens, setTokens] = createSignal<readonly string[]>();
  const [isReplaced, setReplaced] = createSignal(false);
  const generation = live("generation", () => state.generation);
  const newKeys = live(["bots", "generation"], () => state.model.bots.newKeys.get(bot_id) ?? 0);
  /** Own replacements whose event has not come. */
  let awaited = 0;
  let known = newKeys();
  const show = (apiKey: string | undefined, shownTokens: readonly string[] | undefined) => {
    setKey(apiKey);
    setTokens(shownTokens);
    setReplaced(false);
  };
  const forget = () => {
    if (key() === undefined) return;
    show(undefined, undefined);
    setReplaced(true);
  };
  createEffect(
    on(
      newKeys,
      (count) => {
        const others = count - known - awaited;
        awaited = Math.max(0, known + awaited - count);
        known = count;
        if (others > 0) forget();
      },
      { defer: true },
    ),
  );
  // What has happened before another snapshot is in no event.
  createEffect(
    on(
      generation,
      () => {
        known = newKeys();
        awaited = 0;
        forget();
      },
      { defer: true },
    ),
  );
  const fetchThem = async (proof: Proof) => {
    const before = `${generation()} ${newKeys()}`;
    const { api_key, services } = await state.connection.call(getBotApiKey, { bot_id, ...proof });
    // The key may be the one from before the event that came meanwhile.
    if (`${generation()} ${newKeys()}` !== before) setReplaced(true);
    else
      show(
        api_key,
        services.map(({ token }) => token),
      );
    // Nothing was saved.
    return GIVEN_UP;
  };
  return {
    apiKey: key,
    isReplaced,
    tokens,
    show: (saving) => runWithProof(saving, fetchThem),
    hide: () => show(undefined, undefined),
    async replace() {
      const renew = async (proof: Proof) => {
        awaited++;
        try {
          return await state.connection.call(regenerateBotApiKey, { bot_id, ...proof });
        } catch (error) {
          awaited--;
          throw error;
        }
      };
      show((await withProof(renew)).api_key, tokens());
    },
  };
}
