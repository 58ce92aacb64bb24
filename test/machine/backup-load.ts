// Messages that somebody sends while an installation is backed up, and what is left of them afterwards.
import { api, type Json, type Server } from "../e2e/parley.ts";

export interface Sent {
  id: number;
  content: string;
}

/** One message after the other, until the server is gone. */
export async function keepSending(server: Pick<Server, "url">, key: string, sent: Sent[]): Promise<void> {
  for (let number = 0; ; number++) {
    const content = `number ${number}`;
    const { body } = await send(server, key, content).catch(() => ({ body: undefined }));
    if (body?.result !== "success") return;
    sent.push({ id: body.id, content });
  }
}

export function send(server: Pick<Server, "url">, key: string, content: string): Promise<{ body: Json }> {
  return api(server, "POST", "/messages", { type: "stream", to: "general", topic: "load", content }, key);
}

/** The messages of that topic from this id on, the oldest first. */
export async function messagesSince(
  server: Pick<Server, "url">,
  key: string,
  anchor: number,
): Promise<Sent[]> {
  const narrow = [
    { operator: "channel", operand: "general" },
    { operator: "topic", operand: "load" },
  ];
  const params = { anchor, num_before: 0, num_after: 5000, narrow, apply_markdown: false };
  const { body } = await api(server, "GET", "/messages", params, key);
  return body.messages.map(({ id, content }: Sent) => ({ id, content }));
}
