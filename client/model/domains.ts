import type { EventOf } from "../../api/event.ts";
import type { domainAdded, domainChanged, domainRemoved } from "../../api/events/domains.ts";
import type { Subject } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

type DomainEvent =
  | EventOf<typeof domainAdded>
  | EventOf<typeof domainChanged>
  | EventOf<typeof domainRemoved>;

type DomainRecord = EventOf<typeof domainAdded>["realm_domain"];

/** The domains whose email addresses are allowed, each with whether its subdomains are, the oldest first. */
export class Domains implements Subject {
  readonly allowSubdomains = new Map<string, boolean>();
  readonly handlers = {
    realm_domains: (event: DomainEvent) => {
      if (event.op === "remove") this.allowSubdomains.delete(event.domain);
      else this.#put(event.realm_domain);
    },
  };

  readonly keys = ["realm_domains"];

  static fromSnapshot(snapshot: WireObject): Domains {
    const domains = new Domains();
    for (const record of section<DomainRecord>(snapshot, "realm_domains")) domains.#put(record);
    return domains;
  }

  comparable(): unknown {
    return [...this.allowSubdomains];
  }

  #put({ domain, allow_subdomains }: DomainRecord): void {
    this.allowSubdomains.set(domain, allow_subdomains);
  }
}
