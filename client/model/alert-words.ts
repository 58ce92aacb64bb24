import type { EventOf } from "../../api/event.ts";
import type { alertWordsChanged } from "../../api/events/alert-words.ts";
import type { Subject } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

/** The viewer's alert words. */
export class AlertWords implements Subject {
  words: readonly string[] = [];
  readonly handlers = {
    alert_words: (event: EventOf<typeof alertWordsChanged>) => {
      this.words = event.alert_words;
    },
  };

  readonly keys = ["alert_words"];

  static fromSnapshot(snapshot: WireObject): AlertWords {
    const own = new AlertWords();
    own.words = section<string>(snapshot, "alert_words");
    return own;
  }

  comparable(): unknown {
    return [...this.words];
  }
}
