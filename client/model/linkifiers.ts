import type { EventOf } from "../../api/event.ts";
import type { linkifiersChanged } from "../../api/events/linkifiers.ts";
import type { Subject } from "./subject.ts";
import { readFields, section, type WireObject } from "./wire.ts";

type LinkifierRecord = EventOf<typeof linkifiersChanged>["realm_linkifiers"][number];

export interface Linkifier {
  id: number;
  /** In the syntax of RE2. */
  pattern: string;
  /** Where the link leads, by RFC 6570. */
  urlTemplate: string;
}

/** The organization's linkifiers, in the order in which they are tried. */
export class Linkifiers implements Subject {
  all: readonly Linkifier[];
  readonly handlers = {
    realm_linkifiers: (event: EventOf<typeof linkifiersChanged>) => {
      this.all = readAll(event.realm_linkifiers);
    },
  };

  /** The older list is always empty. */
  readonly keys = ["realm_linkifiers", "realm_filters"];

  private constructor(all: readonly Linkifier[]) {
    this.all = all;
  }

  static fromSnapshot(snapshot: WireObject): Linkifiers {
    return new Linkifiers(readAll(section<LinkifierRecord>(snapshot, "realm_linkifiers")));
  }

  comparable(): unknown {
    return this.all;
  }
}

function readAll(records: readonly LinkifierRecord[]): Linkifier[] {
  return records.map((record) => readFields<Linkifier>(record, {}));
}
