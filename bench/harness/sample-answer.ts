import { AwaitedConnection } from "./awaited-connection.ts";
import type { Person } from "./fixture.ts";
import { registerQueues } from "./queues.ts";
import { authorization } from "./requests.ts";

/** The server's response to a poll that finds one message. The bare server returns the same bytes. */
export async function sampleAnswer(
  port: number,
  people: readonly Person[],
  request: string,
): Promise<{ text: string; lastEventId: number }> {
  const [queue] = await registerQueues(port, people.slice(0, 1));
  if (!queue) throw new Error("there is nobody to listen");
  const sender = new AwaitedConnection(port);
  await sender.ask(request);
  sender.close();
  const { queueId, lastEventId, person } = queue;
  const url = `http://127.0.0.1:${port}/api/v1/events?queue_id=${queueId}&last_event_id=${lastEventId}&dont_block=true`;
  const response = await fetch(url, { headers: { authorization: authorization(person) } });
  const { events, ...rest } = (await response.json()) as { events: { id: number }[]; queue_id: string };
  const [event] = events;
  if (!event) throw new Error("a message did not reach its listener");
  const text = `${JSON.stringify({ ...rest, events: [{ ...event, id: 0 }], queue_id: queueId })}\n`;
  return { text: ascii(text), lastEventId: (events.at(-1) as { id: number }).id };
}

/** The bare server counts characters as bytes. */
function ascii(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII.
  return text.replace(/[^\x00-\x7f]/g, "?");
}
