import type { EventOf } from "../../api/event.ts";
import type {
  defaultChannelGroupsChanged,
  defaultChannelsChanged,
} from "../../api/events/default-channels.ts";
import { plainMap, type Subject, sorted } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

type DefaultChannelsEvent = EventOf<typeof defaultChannelsChanged>;
type GroupsEvent = EventOf<typeof defaultChannelGroupsChanged>;

/** A set of channels that people can choose when they join. */
export interface DefaultChannelGroup {
  id: number;
  name: string;
  description: string;
  channelIds: ReadonlySet<number>;
}

/** The channels that new people are subscribed to, and those that they can choose. Guests don't get them. */
export class DefaultChannels implements Subject {
  ids: ReadonlySet<number>;
  groups: ReadonlyMap<number, DefaultChannelGroup>;
  readonly handlers = {
    default_streams: (event: DefaultChannelsEvent) => this.handleDefaultChannelsEvent(event),
    default_stream_groups: (event: GroupsEvent) => this.handleGroupsEvent(event),
  };

  readonly keys = ["realm_default_streams", "realm_default_stream_groups"];

  private constructor(ids: Iterable<number>, groups: GroupsEvent["default_stream_groups"]) {
    this.ids = new Set(ids);
    this.groups = readGroups(groups);
  }

  static fromSnapshot(snapshot: WireObject): DefaultChannels {
    return new DefaultChannels(
      section<number>(snapshot, "realm_default_streams"),
      section(snapshot, "realm_default_stream_groups") as GroupsEvent["default_stream_groups"],
    );
  }

  handleDefaultChannelsEvent({ default_streams }: DefaultChannelsEvent): void {
    this.ids = new Set(default_streams);
  }

  handleGroupsEvent({ default_stream_groups }: GroupsEvent): void {
    this.groups = readGroups(default_stream_groups);
  }

  comparable(): unknown {
    const groups = plainMap(this.groups, (group) => ({ ...group, channelIds: sorted(group.channelIds) }));
    return { ids: sorted(this.ids), groups };
  }
}

function readGroups(groups: GroupsEvent["default_stream_groups"]): Map<number, DefaultChannelGroup> {
  return new Map(
    groups.map(({ id, name, description, streams }) => [
      id,
      { id, name, description, channelIds: new Set(streams) },
    ]),
  );
}
