export interface NatsServers {
  /** host:port, without credentials. */
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
  tls?: object;
}

/**
 * Reads PARLEY_NATS_URL: one address or several of one cluster separated by commas. Credentials come from
 * the first; a name without a password is a token. Returns undefined if the text has another form.
 */
export function readNatsUrl(text: string): NatsServers | undefined {
  const parts = text.split(",").map((part) => part.trim());
  if (!parts.every((part) => /^(nats|tls):\/\/[^/]/.test(part) && URL.canParse(part))) return undefined;
  const urls = parts.map((part) => new URL(part));
  const [first] = urls as [URL];
  const [user, pass] = [decodeURIComponent(first.username), decodeURIComponent(first.password)];
  return {
    servers: urls.map((url) => `${url.hostname}:${url.port || "4222"}`),
    ...(pass !== "" ? { user, pass } : user !== "" ? { token: user } : {}),
    ...(urls.some((url) => url.protocol === "tls:") ? { tls: {} } : {}),
  };
}

export function hasCredentials({ pass, token }: NatsServers): boolean {
  return pass !== undefined || token !== undefined;
}
