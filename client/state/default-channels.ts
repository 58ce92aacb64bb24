import type { EventOf } from "../../api/event.ts";
import type { defaultChannelsChanged } from "../../api/events/channels.ts";
import { type Subject, sorted } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

type DefaultChannelsEvent = EventOf<typeof defaultChannelsChanged>;

/** The channels that people who join are subscribed to. Guests are not told. */
export class DefaultChannels implements Subject {
  ids: ReadonlySet<number>;
  readonly handlers = {
    default_streams: (event: DefaultChannelsEvent) => this.handleDefaultChannelsEvent(event),
  };

  static readonly keys = ["realm_default_streams"];

  private constructor(ids: Iterable<number>) {
    this.ids = new Set(ids);
  }

  static fromSnapshot(snapshot: WireObject): DefaultChannels {
    return new DefaultChannels(section<number>(snapshot, "realm_default_streams"));
  }

  handleDefaultChannelsEvent({ default_streams }: DefaultChannelsEvent): void {
    this.ids = new Set(default_streams);
  }

  comparable(): unknown {
    return sorted(this.ids);
  }
}
