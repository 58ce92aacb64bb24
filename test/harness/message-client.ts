/** A client of the small server in `message-server.ts`, on a clock that the test moves. */
import { vi } from "vitest";
import { LiveState } from "../../client/live-state.ts";
import { AROUND, type OpenWindow } from "../../client/message-windows/open-window.ts";
import { type Narrow, narrowParameter } from "../../client/narrow.ts";
import type { MessageServer } from "./message-server.ts";

export interface MessageClient {
  state: LiveState;
  /** Time passes: what can arrive arrives. */
  pass(ms?: number): Promise<void>;
  open(narrow: Narrow, options?: Parameters<LiveState["openWindow"]>[1]): Promise<OpenWindow>;
  stop(): Promise<void>;
}

/** The test has called `vi.useFakeTimers`, and takes the clock back at its end. */
export async function startMessageClient(server: MessageServer): Promise<MessageClient> {
  const state = new LiveState(server.connection);
  const end = new AbortController();
  const run = state.run(end.signal);
  const opened: OpenWindow[] = [];
  const pass = async (ms = 10) => void (await vi.advanceTimersByTimeAsync(ms));
  await pass();
  return {
    state,
    pass,
    async open(narrow, options) {
      const one = state.openWindow(narrow, options);
      opened.push(one);
      // As the feed does: rows above a view that is not full would move all of it.
      const { isLoaded, foundOldest, ids } = one.window;
      if (isLoaded && (foundOldest || ids.length > AROUND)) one.openKnown("newest");
      else void one.open("newest");
      await pass();
      return one;
    },
    async stop() {
      for (const window of opened) window.close();
      end.abort();
      await pass();
      await run;
    },
  };
}

/** What a window says, against what the server would say to a client that starts now. */
export function compare(server: MessageServer, { state }: MessageClient, { window }: OpenWindow) {
  const all = server.list(narrowParameter(window.narrow));
  const { ids, foundOldest, foundNewest } = window;
  const [first, last] = [
    foundOldest ? -Infinity : (ids[0] ?? Infinity),
    foundNewest ? Infinity : (ids.at(-1) ?? 0),
  ];
  const read = (id: number) => {
    const message = state.model.messages.byId.get(id);
    if (!message) return [id, "missing"];
    return [
      id,
      message.content,
      JSON.stringify(message.to),
      [...message.flags].sort().join(),
      message.reactions.length,
    ];
  };
  const told = (id: number) => {
    const message = server.messages.get(id);
    if (!message) throw new Error(`the server has no message ${id}`);
    const { content, flags, reactions, stream_id, subject } = server.present(message);
    const to =
      stream_id === undefined
        ? { kind: "direct", userIds: [2, 3] }
        : { kind: "channel", channelId: stream_id, topic: subject };
    return [id, content, JSON.stringify(to), flags.join(), reactions.length];
  };
  return {
    shown: { isOutdated: window.isOutdated, messages: ids.map(read) },
    expected: { isOutdated: false, messages: all.filter((id) => id >= first && id <= last).map(told) },
  };
}
