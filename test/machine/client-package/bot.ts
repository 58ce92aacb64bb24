/** A program of somebody who has nothing but the package. `client-package.test.ts` compiles and runs it. */
import { type ApiFailureOf, CallError, createClient, type QueuedEvent } from "@parley-chat/client";
import { startModel } from "@parley-chat/client/model";

declare const process: { env: Record<string, string | undefined> };

const { SITE = "", EMAIL = "", API_KEY = "" } = process.env;
const client = createClient({ site: SITE, email: EMAIL, apiKey: API_KEY });

function print(line: string): void {
  console.log(line);
}

/** What a message event says, typed by its discriminant. */
function textOf(event: QueuedEvent): string | undefined {
  if (event.type === "message") return event.message.content;
  // @ts-expect-error: only the events of messages have a message.
  return event.message;
}

async function send(to: string, content: string): Promise<number> {
  const { id } = await client.sendMessage({ type: "channel", to, topic: "package", content });
  return id;
}

/** The fields of an error follow from its code. */
function explain({ code, fields }: ApiFailureOf<"sendMessage">): string {
  switch (code) {
    case "STREAM_DOES_NOT_EXIST":
      return `no channel ${fields.stream?.toUpperCase()}`;
    case "RATE_LIMIT_HIT":
      return `wait for ${fields["retry-after"].toFixed(1)} s`;
    // @ts-expect-error: sending can't fail in this way.
    case "DEACTIVATED_GROUP":
      return "impossible";
    default:
      return "something else";
  }
}

async function sendToNowhere(): Promise<void> {
  try {
    await send("nowhere", "Hello?");
  } catch (error) {
    if (!(error instanceof CallError) || error.failure.kind !== "api") throw error;
    const { failure } = error;
    if (failure.code === "STREAM_DOES_NOT_EXIST") print(explain(failure));
  }
}

/** Compiled and never run. */
export function mistakes(): void {
  // @ts-expect-error: `content` is missing.
  void client.sendMessage({ type: "channel", to: "general" });
  // @ts-expect-error: there is no such type of message.
  void client.sendMessage({ type: "letter", to: "general", content: "Hello" });
  // @ts-expect-error: there is no such endpoint.
  void client.fly();
}

const live = await startModel(client);
print(`model of ${live.model.organization.name} with ${live.model.users.byId.size} people`);

let snapshots = 0;
let troubles = 0;
const parameters = { event_types: ["message"], apply_markdown: false };
const events = client.events(parameters, {
  onSnapshot: async ({ queue_id }) => {
    snapshots++;
    print(`queue of ${queue_id?.length ?? 0} characters`);
    await sendToNowhere();
    await send("general", "first");
  },
  onTrouble: (error) => {
    troubles += error ? 1 : 0;
  },
});
for await (const event of events) {
  const text = textOf(event);
  print(`received ${text}`);
  if (text === "second") break;
}
const words = () => [...live.model.messages.byId.values()].map(({ content }) => content).join(" ");
await new Promise<void>((resolve) => {
  const look = () => {
    if (words().includes("second")) resolve();
  };
  live.subscribe(look);
  look();
});
print(`model has ${words()}`);
await live.stop();
print(`ended after ${snapshots} snapshot, ${troubles > 0 ? "some" : "no"} trouble`);
