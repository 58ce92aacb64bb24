import type { UserId } from "../../api/ids.ts";
import { pagesOf } from "../platform/db/pages.ts";
import type { Projection } from "../platform/log/projection.ts";
import { queuesOf } from "../platform/queues/organization-queues.ts";
import { type KeyHash, listApiKeyHashes } from "./api-key-store.ts";

/** The users by the keyed hashes (base64) of their API keys. */
export class ApiKeys {
  readonly #userOfHash = new Map<string, UserId>();
  readonly #hashOfUser = new Map<UserId, string>();
  /** Grows with every change, for caches of what is derived from keys. */
  version = 0;

  userOf(hash: string): UserId | undefined {
    return this.#userOfHash.get(hash);
  }

  hashOf(userId: UserId): string | undefined {
    return this.#hashOfUser.get(userId);
  }

  /** null: the user has no key any more. */
  put(userId: UserId, hash: string | null): void {
    const old = this.#hashOfUser.get(userId);
    if (old !== undefined) this.#userOfHash.delete(old);
    this.#hashOfUser.delete(userId);
    if (hash !== null) {
      this.#userOfHash.set(hash, userId);
      this.#hashOfUser.set(userId, hash);
    }
    this.version++;
  }
}

/** A user's new key, by its keyed hash (base64); null if the account was erased. */
interface ApiKeyPatch {
  userId: UserId;
  hash: string | null;
}

/**
 * Event queues outlive a new key, but the polls that they hold began with the old one. So these end with what
 * they have, and the client comes back with the new key.
 */
export const apiKeys: Projection<ApiKeys, ApiKeyPatch> = {
  name: "api_keys",
  async load(tx, organizationId) {
    const keys = new ApiKeys();
    const pages = pagesOf<KeyHash>((last) => listApiKeyHashes(tx, organizationId, last));
    for await (const page of pages) for (const { userId, hash } of page) keys.put(userId, hash);
    return keys;
  },
  apply(value, { userId, hash }, state) {
    value.put(userId, hash);
    for (const queue of queuesOf(state).ofUser(userId)) queue.release();
  },
};
