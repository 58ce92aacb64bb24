import type { EventOf } from "../../api/event.ts";
import type { folderAdded, foldersReordered, folderUpdated } from "../../api/events/channel-folders.ts";
import { invariant, plainMap, type Subject } from "./subject.ts";
import { readFields, section, type WireObject } from "./wire.ts";

export interface Folder {
  id: number;
  name: string;
  description: string;
  renderedDescription: string;
  creatorId: number | null;
  /** UNIX seconds. */
  createdAt: number | null;
  isArchived: boolean;
  order: number;
}

const renamed = { date_created: "createdAt" } as const;

type FolderEvent =
  | EventOf<typeof folderAdded>
  | EventOf<typeof folderUpdated>
  | EventOf<typeof foldersReordered>;

/** The folders that channels are sorted into. */
export class Folders implements Subject {
  readonly byId = new Map<number, Folder>();
  readonly handlers = {
    channel_folder: (event: FolderEvent) => this.handleFolderEvent(event),
  };

  readonly keys = ["channel_folders"];

  static fromSnapshot(snapshot: WireObject): Folders {
    const folders = new Folders();
    for (const record of section(snapshot, "channel_folders")) folders.#put(record);
    return folders;
  }

  handleFolderEvent(event: FolderEvent): void {
    if (event.op === "add") this.#put(event.channel_folder);
    else if (event.op === "reorder") {
      for (const [order, id] of event.order.entries()) this.#assign(id, { order });
    } else this.#assign(event.channel_folder_id, readFields<Folder>(event.data, renamed));
  }

  comparable(): unknown {
    return plainMap(this.byId, (folder) => folder);
  }

  #put(record: WireObject): void {
    const folder = readFields<Folder>(record, renamed);
    this.byId.set(folder.id, folder);
  }

  #assign(id: number, changed: Partial<Folder>): void {
    const folder = this.byId.get(id);
    if (folder) Object.assign(folder, changed);
  }
}

export function checkInvariants(folders: Folders): void {
  const orders = [...folders.byId.values()].map(({ order }) => order);
  invariant(new Set(orders).size === orders.length, "two folders have the same place in the order");
}
