import type { EventOf } from "../../api/event.ts";
import type { playgroundsChanged } from "../../api/events/playgrounds.ts";
import type { Subject } from "./subject.ts";
import { readFields, section, type WireObject } from "./wire.ts";

type PlaygroundRecord = EventOf<typeof playgroundsChanged>["realm_playgrounds"][number];

export interface Playground {
  id: number;
  name: string;
  /** The language of the code blocks that it can run. */
  language: string;
  /** Its address, by RFC 6570. The variable `code` stands for the code. */
  urlTemplate: string;
}

/** The sites on which people can run code, the oldest first. */
export class Playgrounds implements Subject {
  all: readonly Playground[];
  readonly handlers = {
    realm_playgrounds: (event: EventOf<typeof playgroundsChanged>) => {
      this.all = readAll(event.realm_playgrounds);
    },
  };

  readonly keys = ["realm_playgrounds"];

  private constructor(all: readonly Playground[]) {
    this.all = all;
  }

  static fromSnapshot(snapshot: WireObject): Playgrounds {
    return new Playgrounds(readAll(section<PlaygroundRecord>(snapshot, "realm_playgrounds")));
  }

  comparable(): unknown {
    return this.all;
  }
}

function readAll(records: readonly PlaygroundRecord[]): Playground[] {
  return records.map((record) => readFields<Playground>(record, { pygments_language: "language" }));
}
