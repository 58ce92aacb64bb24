import type { Caller } from "./harness.ts";

// biome-ignore lint/suspicious/noExplicitAny: each event is checked against its declaration first.
export type Event = any;

export interface Listener {
  queueId: string;
  /** The response of `/register`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  snapshot: any;
  /** The events since the last call, without their ids. The next call acknowledges them. */
  heard(): Promise<Event[]>;
}

/** A client with an event queue, which it polls when asked. */
export async function listen(caller: Caller, params: Record<string, unknown> = {}): Promise<Listener> {
  const { body: snapshot } = await caller.post("/register", { fetch_event_types: [], ...params });
  const queueId = snapshot.queue_id as string;
  let last = snapshot.last_event_id as number;
  return {
    queueId,
    snapshot,
    async heard() {
      const { body } = await caller.get("/events", {
        queue_id: queueId,
        last_event_id: last,
        dont_block: true,
      });
      const events = body.events as Event[];
      last = events.at(-1)?.id ?? last;
      return events.map(({ id: _, ...event }) => event);
    },
  };
}
