import type { EventOf } from "../../api/event.ts";
import type { snippetAdded, snippetRemoved, snippetUpdated } from "../../api/events/saved-snippets.ts";
import { plainMap, type Subject } from "./subject.ts";
import { readFields, section, type WireObject } from "./wire.ts";

export interface SavedSnippet {
  id: number;
  title: string;
  /** Markdown. */
  content: string;
  /** UNIX seconds. */
  createdAt: number;
}

type SnippetEvent =
  | EventOf<typeof snippetAdded>
  | EventOf<typeof snippetUpdated>
  | EventOf<typeof snippetRemoved>;

/** The texts that the viewer keeps to insert into messages. */
export class SavedSnippets implements Subject {
  readonly byId = new Map<number, SavedSnippet>();
  readonly handlers = {
    saved_snippets: (event: SnippetEvent) => {
      if (event.op === "remove") this.byId.delete(event.saved_snippet_id);
      else this.#put(event.saved_snippet);
    },
  };

  readonly keys = ["saved_snippets"];

  static fromSnapshot(snapshot: WireObject): SavedSnippets {
    const own = new SavedSnippets();
    for (const record of section(snapshot, "saved_snippets")) own.#put(record);
    return own;
  }

  comparable(): unknown {
    return plainMap(this.byId, (snippet) => snippet);
  }

  #put(record: WireObject): void {
    const snippet = readFields<SavedSnippet>(record, { date_created: "createdAt" });
    this.byId.set(snippet.id, snippet);
  }
}
