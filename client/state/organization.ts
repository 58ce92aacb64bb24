import type { Static, TSchema } from "typebox";
import type { OrganizationGroupSetting, OrganizationSetting } from "../../api/setting.ts";
import type { Subject } from "./subject.ts";
import { type GroupSetting, readValue, type WireObject } from "./wire.ts";

type OrganizationEvent =
  | { op: "update"; property: string; value: unknown }
  | { op: "update_dict"; data: WireObject }
  | { op: "deactivated" };

const PREFIX = "realm_";

/** Numbers that stood for permissions before those were groups; no event tells of them. */
const workedOut = new Set([
  "realm_create_public_stream_policy",
  "realm_create_private_stream_policy",
  "realm_create_web_public_stream_policy",
  "realm_wildcard_mention_policy",
]);

/** The organization's properties and settings, by the names of their declarations. */
export class Organization implements Subject {
  readonly #values: Map<string, unknown>;
  isDeactivated = false;
  readonly handlers = {
    realm: (event: OrganizationEvent) => this.handleOrganizationEvent(event),
  };

  private constructor(values: Map<string, unknown>) {
    this.#values = values;
  }

  /** `keys`: those of the snapshot's `realm_` keys that are the organization's own, not those of another subject. */
  static fromSnapshot(snapshot: WireObject, keys: readonly string[]): Organization {
    const told = keys.filter((key) => !workedOut.has(key));
    return new Organization(new Map(told.map((key) => [key.slice(PREFIX.length), snapshot[key]])));
  }

  static owns(key: string): boolean {
    return key.startsWith(PREFIX);
  }

  get<S extends TSchema>(setting: OrganizationSetting<S>): Static<S> {
    return (this.#values.has(setting.name) ? this.#values.get(setting.name) : setting.default) as Static<S>;
  }

  permission(setting: OrganizationGroupSetting): GroupSetting | undefined {
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
