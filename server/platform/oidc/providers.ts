/**
 * The services that people of an installation can sign in with, as the operator sets them. Everything is
 * checked at the start, but no provider is called then: one that is away must not keep the server away.
 */
import { type Role, roles } from "../../../api/roles.ts";

export interface SignInProvider {
  /** Its name in addresses, and beside the identities of people. */
  id: string;
  /** What clients of the API call it. */
  methodName: string;
  /** Its name for people. */
  name: string;
  icon: string | null;
  preset: PresetName | undefined;
  kind: "OpenID" | "GitHub";
  issuer: string;
  clientId: string;
  /** undefined: a public client, which has PKCE alone. */
  clientSecret: string | undefined;
  scope: string;
  /** Whether an address that the provider has verified shows that an account with it is theirs. */
  trustsEmail: boolean;
  /** Whether the provider's addresses are right, though it has no claim that says so. */
  emailsAreVerified: boolean;
  /** `always`: everybody whom the provider knows may join, without an invitation. */
  join: "policy" | "always";
  /** The host names of the organizations that have it. undefined: all. */
  hosts: readonly string[] | undefined;
  roles: ClaimMap<Role> | undefined;
  /** Names of groups. */
  groups: ClaimMap<string> | undefined;
  syncsName: boolean;
}

/** What values of a claim stand for. */
export interface ClaimMap<T> {
  /** A name, or names with dots between them for a claim inside of others. */
  claim: string;
  map: ReadonlyMap<string, T>;
}

const MAX_PROVIDERS = 20;
const MAX_MAPPED = 1000;
const OPEN_ID_SCOPE = "openid profile email";

export type PresetName = "google" | "microsoft" | "gitlab" | "github";

interface Preset {
  name: string;
  kind: SignInProvider["kind"];
  scope: string;
  /** undefined: it depends on the tenant. */
  issuer: string | undefined;
}

const presets: Readonly<Record<PresetName, Preset>> = {
  google: { name: "Google", kind: "OpenID", scope: OPEN_ID_SCOPE, issuer: "https://accounts.google.com" },
  microsoft: { name: "Microsoft", kind: "OpenID", scope: OPEN_ID_SCOPE, issuer: undefined },
  gitlab: { name: "GitLab", kind: "OpenID", scope: OPEN_ID_SCOPE, issuer: "https://gitlab.com" },
  github: { name: "GitHub", kind: "GitHub", scope: "read:user user:email", issuer: "https://github.com" },
};

const KEYS = [
  "id",
  "name",
  "icon",
  "preset",
  "issuer",
  "tenant",
  "client_id",
  "client_secret",
  "scope",
  "trust_email",
  "emails_are_verified",
  "join",
  "organizations",
  "roles",
  "groups",
  "sync_name",
] as const;

/** Throws an Error whose message is a sentence. No message has a secret. */
export function parseProviders(json: string): readonly SignInProvider[] {
  let entries: unknown;
  try {
    entries = JSON.parse(json);
  } catch {
    throw new Error("It is not JSON.");
  }
  if (!Array.isArray(entries) || entries.length === 0 || entries.length > MAX_PROVIDERS) {
    throw new Error(`It must be a list of 1 to ${MAX_PROVIDERS} providers.`);
  }
  const providers = entries.map((entry, index) => parseProvider(entry, index + 1));
  const ids = providers.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`Two providers have the id ${twice}.`);
  return providers;
}

/** Those that the organization with this host name has. */
export function providersOf(providers: readonly SignInProvider[], host: string): readonly SignInProvider[] {
  return providers.filter(({ hosts }) => hosts === undefined || hosts.includes(host));
}

/** The path where people sign in with a provider. */
export function pathOf({ id }: SignInProvider, query: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(query).toString();
  return `/auth/${id}${text === "" ? "" : `?${text}`}`;
}

function parseProvider(entry: unknown, position: number): SignInProvider {
  if (!isObject(entry)) throw new Error(`Provider ${position} is not a JSON object.`);
  const id = entry.id ?? entry.preset;
  if (typeof id !== "string" || !/^[a-z0-9][a-z0-9-]{0,29}$/.test(id)) {
    throw new Error(
      `Provider ${position} needs an "id" of at most 30 letters a to z, digits and hyphens, such as "sso".`,
    );
  }
  const read = new Entry(id, entry);
  const presetName = read.text("preset");
  if (presetName !== undefined && !isPreset(presetName)) {
    throw read.wrong("preset", `must be one of ${Object.keys(presets).join(", ")}`);
  }
  const preset = presetName && presets[presetName];
  const name = read.text("name") ?? preset?.name;
  if (name === undefined || name.length > 60) throw read.wrong("name", "must be a name for people");
  const kind = preset?.kind ?? "OpenID";
  const scope = read.text("scope") ?? preset?.scope ?? OPEN_ID_SCOPE;
  if (kind === "OpenID" && !scope.split(" ").includes("openid")) {
    throw read.wrong("scope", "must have the word openid");
  }
  const join = read.text("join") ?? "policy";
  if (join !== "policy" && join !== "always") throw read.wrong("join", 'must be "policy" or "always"');
  return {
    id,
    methodName: presetName === id ? id : `oidc:${id}`,
    name,
    icon: parseIcon(read),
    preset: presetName,
    kind,
    issuer: parseIssuer(read, presetName, preset),
    clientId: read.needed("client_id"),
    clientSecret: kind === "GitHub" ? read.needed("client_secret") : read.text("client_secret"),
    scope,
    trustsEmail: read.truth("trust_email"),
    emailsAreVerified: read.truth("emails_are_verified"),
    join,
    hosts: parseHosts(read),
    roles: parseMap(read, "roles", parseRole),
    groups: parseMap(read, "groups", (group) =>
      typeof group === "string" && group !== "" && !group.startsWith("role:") ? group : undefined,
    ),
    syncsName: read.truth("sync_name"),
  };
}

/** The fields of one provider, of which each message names the provider. */
class Entry {
  readonly id: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(id: string, fields: Readonly<Record<string, unknown>>) {
    this.id = id;
    this.#fields = fields;
    const unknown = Object.keys(fields).find((name) => !(KEYS as readonly string[]).includes(name));
    if (unknown !== undefined) {
      throw new Error(`Provider ${id} has "${unknown}", but there are only ${KEYS.join(", ")}.`);
    }
  }

  field(name: (typeof KEYS)[number]): unknown {
    return this.#fields[name];
  }

  wrong(name: (typeof KEYS)[number], requirement: string): Error {
    return new Error(`The "${name}" of provider ${this.id} ${requirement}.`);
  }

  text(name: (typeof KEYS)[number]): string | undefined {
    const value = this.#fields[name];
    if (value === undefined) return undefined;
    if (typeof value !== "string" || value.trim() === "") throw this.wrong(name, "must be a text");
    return value.trim();
  }

  needed(name: (typeof KEYS)[number]): string {
    const value = this.text(name);
    if (value === undefined) throw this.wrong(name, "is missing. The provider gives it to you");
    return value;
  }

  truth(name: (typeof KEYS)[number]): boolean {
    const value = this.#fields[name] ?? false;
    if (typeof value !== "boolean") throw this.wrong(name, "must be true or false");
    return value;
  }
}

function isPreset(name: string): name is PresetName {
  return Object.hasOwn(presets, name);
}

function parseIssuer(read: Entry, presetName: string | undefined, preset: Preset | undefined): string {
  const tenant = read.text("tenant");
  if (presetName === "microsoft") {
    // An issuer for all tenants would let each of them give any address to its people.
    if (tenant === undefined || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(tenant)) {
      throw read.wrong(
        "tenant",
        "must be the id of your directory, such as 00000000-1111-2222-3333-444444444444",
      );
    }
    return `https://login.microsoftonline.com/${tenant.toLowerCase()}/v2.0`;
  }
  if (tenant !== undefined) throw read.wrong("tenant", "is for the preset microsoft alone");
  const issuer = read.text("issuer") ?? preset?.issuer;
  const url = issuer !== undefined && URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (issuer === undefined || !url || !isWeb || url.username || url.password || url.search || url.hash) {
    throw read.wrong("issuer", "must have the form https://id.example.com");
  }
  // Issuers of OpenID Connect are compared letter by letter, so they stay as given. GitHub gets paths added.
  return preset?.kind === "GitHub" ? issuer.replace(/\/+$/, "") : issuer;
}

function parseIcon(read: Entry): string | null {
  const icon = read.text("icon");
  if (icon === undefined) return null;
  const isPath = /^\/(?![/\\])[\x21-\x7e]*$/.test(icon);
  if (!isPath && !(URL.canParse(icon) && new URL(icon).protocol === "https:")) {
    throw read.wrong("icon", "must be the address of a picture, such as https://id.example.com/logo.png");
  }
  return icon;
}

function parseHosts(read: Entry): readonly string[] | undefined {
  const hosts = read.field("organizations");
  if (hosts === undefined) return undefined;
  if (!Array.isArray(hosts) || hosts.length === 0 || !hosts.every((host) => typeof host === "string")) {
    throw read.wrong("organizations", "must be a list of host names");
  }
  return hosts.map((host: string) => host.toLowerCase());
}

function parseMap<T>(
  read: Entry,
  name: "roles" | "groups",
  parse: (value: unknown) => T | undefined,
): ClaimMap<T> | undefined {
  const value = read.field(name);
  if (value === undefined) return undefined;
  const { claim, map } = isObject(value) ? value : {};
  const entries = isObject(map) ? Object.entries(map) : [];
  if (typeof claim !== "string" || claim === "" || entries.length === 0 || entries.length > MAX_MAPPED) {
    throw read.wrong(name, `must have the form {"claim": "groups", "map": {"value": "…"}}`);
  }
  const parsed = entries.map(([key, each]): [string, T] => {
    const result = parse(each);
    if (result !== undefined) return [key, result];
    const kinds =
      name === "roles" ? Object.keys(roles).join(", ") : "names of groups, but not of system groups";
    throw read.wrong(name, `maps to '${each}', but must map to ${kinds}`);
  });
  return { claim, map: new Map(parsed) };
}

function parseRole(value: unknown): Role | undefined {
  return Object.entries(roles).find(([name]) => name === value)?.[1];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
