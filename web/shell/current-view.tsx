import { createMemo, Match, Switch } from "solid-js";
import { conversationOf, keyOfNarrow, type Narrow } from "../../client/narrow.ts";
import { route } from "../app/route.ts";
import { Compose } from "../compose/compose.tsx";
import { Feed } from "../feed/feed.tsx";
import { Inbox } from "../inbox/inbox.tsx";
import { ViewHeader } from "./view-header.tsx";

/** What the address shows. A narrow that stays the same keeps its feed, whatever else changes. */
export function CurrentView() {
  const narrow = createMemo<Narrow | undefined>(
    () => {
      const current = route();
      return current.view === "messages" ? current.narrow : undefined;
    },
    undefined,
    { equals: (a, b) => a !== undefined && b !== undefined && keyOfNarrow(a) === keyOfNarrow(b) },
  );
  return (
    <Switch fallback={<Inbox />}>
      <Match when={narrow()} keyed>
        {(shown) => (
          <>
            <ViewHeader narrow={shown} />
            <Feed narrow={shown} />
            <Compose place={conversationOf(shown)} />
          </>
        )}
      </Match>
    </Switch>
  );
}
