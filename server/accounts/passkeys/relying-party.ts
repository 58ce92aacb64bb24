/**
 * What passkeys belong to: the host of the organization's address. A passkey of another host does not work
 * here, and browsers don't offer it.
 */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** `baseUrl`: the address under which the browser reached the organization. */
export function relyingPartyOf(baseUrl: string): RelyingParty {
  const { hostname, origin } = new URL(baseUrl);
  return { id: hostname, origin };
}
