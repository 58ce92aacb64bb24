import type { EventOf } from "../../api/event.ts";
import type { exportConsentChanged, exportsChanged } from "../../api/events/exports.ts";
import type { Subject } from "./subject.ts";

type ExportRecord = EventOf<typeof exportsChanged>["exports"][number];

/**
 * The organization's exports and who consents to them, for administrators. The snapshot has neither. So they
 * are unknown until an event comes, or until the client passes on what it fetched.
 */
export class Exports implements Subject {
  /** undefined: not known yet. */
  list: readonly ExportRecord[] | undefined;
  /** The consents that are known, by the person's ID. */
  readonly consents = new Map<number, boolean>();
  readonly keys = [];
  readonly handlers = {
    realm_export: (event: EventOf<typeof exportsChanged>) => this.fetched(event.exports),
    realm_export_consent: (event: EventOf<typeof exportConsentChanged>) => {
      this.consents.set(event.user_id, event.consented);
    },
  };

  /** Takes the reply of `GET /export/realm`. */
  fetched(exports: readonly ExportRecord[]): void {
    this.list = exports;
  }

  /** A snapshot says nothing of exports. */
  comparable(): unknown {
    return {};
  }
}
