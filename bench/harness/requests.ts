import type { Person } from "./fixture.ts";
import { makeMessages } from "./messages.ts";

/** Requests as text, as they go over the wire. */

export function authorization({ email, apiKey }: Person): string {
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
}

export function get(person: Person, path: string, parameters: Record<string, string>): string {
  return `GET /api/v1${path}?${new URLSearchParams(parameters)} HTTP/1.1\r\n${headers(person)}\r\n`;
}

export function post(person: Person, path: string, parameters: Record<string, string>): string {
  return withBody("POST", person, path, parameters);
}

export function del(person: Person, path: string, parameters: Record<string, string>): string {
  return withBody("DELETE", person, path, parameters);
}

export function patch(person: Person, path: string, parameters: Record<string, string>): string {
  return withBody("PATCH", person, path, parameters);
}

export function withBody(
  method: string,
  person: Person,
  path: string,
  parameters: Record<string, string>,
): string {
  const body = new URLSearchParams(parameters).toString();
  return [
    `${method} /api/v1${path} HTTP/1.1\r\n${headers(person)}Content-Type: application/x-www-form-urlencoded`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}

/** A poll, around its `last_event_id`. */
export function poll(person: Person, queueId: string): { before: string; after: string } {
  return {
    before: `GET /api/v1/events?queue_id=${queueId}&last_event_id=`,
    after: ` HTTP/1.1\r\n${headers(person)}\r\n`,
  };
}

/** 1,500 distinct messages to a channel, from these people in turn. */
export function sends(channelId: number, senders: readonly Person[]): string[] {
  return makeMessages(1500).map((content, index) =>
    post(senders[index % senders.length] as Person, "/messages", {
      type: "channel",
      to: String(channelId),
      topic: `topic ${index % 20}`,
      content,
    }),
  );
}

function headers(person: Person): string {
  return `Host: localhost\r\nAuthorization: ${authorization(person)}\r\nUser-Agent: bench/1\r\n`;
}
