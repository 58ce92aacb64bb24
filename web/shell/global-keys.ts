import { composeTo, focusCompose } from "../app/compose-target.ts";
import { go, route } from "../app/route.ts";
import { nextUnread } from "../app/unread-places.ts";
import { bindKeys } from "../ui/keys.ts";

/** The keys that work in every view. */
export function bindGlobalKeys(actions: { openHelp(): void; openSwitcher(): void }): void {
  bindKeys([
    { keys: ["?"], label: "key.help", run: actions.openHelp },
    { keys: ["Ctrl+k"], label: "key.jump", run: actions.openSwitcher, everywhere: true },
    { keys: ["/"], label: "key.jump", run: actions.openSwitcher },
    { keys: ["Shift+I"], label: "key.inbox", run: () => go("#inbox") },
    { keys: ["a"], label: "key.feed", run: () => go("#feed") },
    { keys: ["n"], label: "key.nextUnread", run: () => go(nextUnread() ?? "#inbox") },
    { keys: ["c"], label: "key.compose", run: compose },
    { keys: ["Escape"], label: "key.escape", run: () => go("#inbox") },
  ]);
}

/** In a view that is no conversation, the person chooses one. */
function compose(): void {
  if (route().view !== "messages") go("#feed");
  composeTo("choosing");
  focusCompose();
}
