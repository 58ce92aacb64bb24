import type { Subject } from "./subject.ts";

/**
 * Counts changes of the open invitations. Neither the snapshot nor an event lists them: a screen that shows
 * them asks the server again when the number has grown.
 */
export class Invitations implements Subject {
  changes = 0;
  readonly keys = [];
  readonly handlers = {
    invites_changed: () => {
      this.changes++;
    },
  };

  /** A snapshot says nothing of invitations. */
  comparable(): unknown {
    return {};
  }
}
