import type { Setting, Subject } from "./subject.ts";
import { type GroupSetting, readValue, type WireObject } from "./wire.ts";

type OrganizationEvent =
  | { op: "update"; property: string; value: unknown }
  | { op: "update_dict"; data: WireObject }
  | { op: "deactivated" };

const PREFIX = "realm_";

/** Numbers that stood for permissions before permissions were groups. No event carries them. */
const workedOut = new Set([
  "realm_create_public_stream_policy",
  "realm_create_private_stream_policy",
  "realm_create_web_public_stream_policy",
  "realm_wildcard_mention_policy",
]);

/** Keys that look like the organization's own properties and are not. */
const ofOthers = new Set([
  "realm_bots",
  "realm_embedded_bots",
  "realm_incoming_webhook_bots",
  "realm_emoji",
  "realm_billing",
]);

/** The organization's properties and settings, by the names of their declarations. */
export class Organization implements Subject {
  readonly keys: readonly string[];
  readonly #values: Map<string, unknown>;
  isDeactivated = false;
  readonly handlers = {
    realm: (event: OrganizationEvent) => this.handleOrganizationEvent(event),
  };

  private constructor(keys: readonly string[], values: Map<string, unknown>) {
    this.keys = keys;
    this.#values = values;
  }

  /**
   * `claimed`: the keys of other subjects; of the rest, those that begin with `realm_` are the
   * organization's.
   */
  static fromSnapshot(snapshot: WireObject, claimed: ReadonlySet<string>): Organization {
    const keys = Object.keys(snapshot).filter(
      (key) => key.startsWith(PREFIX) && !ofOthers.has(key) && !claimed.has(key),
    );
    const told = keys.filter((key) => !workedOut.has(key));
    return new Organization(keys, new Map(told.map((key) => [key.slice(PREFIX.length), snapshot[key]])));
  }

  get<V>(setting: Setting<V>): V {
    return (this.#values.has(setting.name) ? this.#values.get(setting.name) : setting.default) as V;
  }

  permission(setting: { readonly name: string }): GroupSetting | undefined {
    return readValue(this.#values.get(setting.name)) as GroupSetting | undefined;
  }

  get name(): string {
    return this.#values.get("name") as string;
  }

  handleOrganizationEvent(event: OrganizationEvent): void {
    if (event.op === "deactivated") this.isDeactivated = true;
    else if (event.op === "update") this.#values.set(event.property, event.value);
    else for (const [name, value] of Object.entries(event.data)) this.#values.set(name, value);
  }

  comparable(): unknown {
    return { ...Object.fromEntries(this.#values), isDeactivated: this.isDeactivated };
  }
}
