import type { Person } from "./fixture.ts";
import { authorization } from "./requests.ts";

export interface Registered {
  person: Person;
  queueId: string;
  lastEventId: number;
}

const AT_A_TIME = 20;

/**
 * Registers a queue for each of these people, who may be named more than once. By default it gets
 * messages as the web client does.
 */
export async function registerQueues(
  port: number,
  people: readonly Person[],
  eventTypes: readonly string[] = ["message"],
): Promise<Registered[]> {
  const made: Registered[] = [];
  for (let index = 0; index < people.length; index += AT_A_TIME) {
    const some = people.slice(index, index + AT_A_TIME);
    made.push(...(await Promise.all(some.map((person) => registerQueue(port, person, eventTypes)))));
  }
  return made;
}

async function registerQueue(
  port: number,
  person: Person,
  eventTypes: readonly string[],
): Promise<Registered> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/register`, {
    method: "POST",
    headers: { authorization: authorization(person) },
    body: new URLSearchParams({
      event_types: JSON.stringify(eventTypes),
      fetch_event_types: "[]",
      apply_markdown: "true",
      client_gravatar: "true",
    }),
  });
  const body = (await response.json()) as { queue_id: string; last_event_id: number };
  if (!response.ok) throw new Error(JSON.stringify(body));
  return { person, queueId: body.queue_id, lastEventId: body.last_event_id };
}
