/**
 * What a bot's program signs in with, and what the server shows it. A session gets neither with the bot, so
 * each is fetched when a person wants to see it, and forgotten with the place that shows it.
 */
import { createSignal } from "solid-js";
import { getBotApiKey, regenerateBotApiKey } from "../../../api/integrations/bots.ts";
import type { Saving } from "../../ui/saving.tsx";
import { type Proof, runWithProof, withProof } from "../proof/proof.tsx";
import { state } from "../state/state.ts";

export interface BotSecrets {
  /** undefined: not shown. */
  apiKey(): string | undefined;
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
  const fetchThem = async (proof: Proof) => {
    const reply = await state.connection.call(getBotApiKey, { bot_id, ...proof });
    setKey(reply.api_key);
    setTokens(reply.services.map(({ token }) => token));
  };
  return {
    apiKey: key,
    tokens,
    show: (saving) => runWithProof(saving, fetchThem),
    hide() {
      setKey(undefined);
      setTokens(undefined);
    },
    async replace() {
      const renew = (proof: Proof) => state.connection.call(regenerateBotApiKey, { bot_id, ...proof });
      setKey((await withProof(renew)).api_key);
    },
  };
}
