import type { PasswordTurn } from "../crypto/passwords.ts";
import { wideNetworkOf } from "./rate-limit.ts";

/** For people whom nobody knows yet: one place among those of their network, by the client's IP address. */
export function turnOfNetwork(address: string): PasswordTurn {
  return { lane: "open", key: wideNetworkOf(address) };
}
