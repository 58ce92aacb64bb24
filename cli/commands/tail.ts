import { getMessages } from "../../api/messages/messages.ts";
import type { Connection } from "../../client/connection.ts";
import type { QueuedEvent } from "../../client/contract.ts";
import { follow } from "../../client/poll.ts";
import { command, exitCodes } from "../command.ts";
import { accountDetails, accountOptions, connect } from "../options/account.ts";
import { jsonLine } from "../options/json.ts";
import { type Message, MessageView } from "../terminal/message-view.ts";

export const tail = command({
  usage: ["tail [--channel CHANNEL] [--topic TOPIC] [--raw]"],
  details: `
Shows the newest messages and then each new one as it arrives, until Ctrl+C. If the server stops, this
command waits until it is back.
${accountDetails}`,
  options: {
    channel: { value: "CHANNEL", description: "Show only messages in this channel." },
    topic: { value: "TOPIC", description: "Show only messages under this topic." },
    json: { description: "Print each message as a line of JSON, for programs." },
    raw: { description: "The same as --json." },
    ...accountOptions,
  },
  settings: ["data-dir", "port"],
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    const { connection, account } = await connect(values, environment);
    const narrow: [string, string][] = [];
    if (values.channel !== undefined) narrow.push(["channel", values.channel]);
    if (values.topic !== undefined) narrow.push(["topic", values.topic]);
    const view = new MessageView(() => ({
      columns: process.stdout.isTTY ? process.stdout.columns : undefined,
      hasColors: process.stdout.isTTY && !environment.NO_COLOR && environment.TERM !== "dumb",
      ownEmail: account.email,
    }));
    const show =
      values.json || values.raw
        ? (message: Message) => [jsonLine(message)]
        : (message: Message) => view.show(message);
    await new Tail(connection, narrow, show, () => view.interrupt()).run(untilEnd());
    return exitCodes.ok;
  },
});

/** How many messages are shown at the start, and at most after an interruption that lost the queue. */
const FIRST_MESSAGES = 10;
const MISSED_MESSAGES = 1000;

class Tail {
  readonly #connection: Connection;
  readonly #narrow: [string, string][];
  readonly #show: (message: Message) => string[];
  readonly #interrupt: () => void;
  #newestId: number | undefined;

  constructor(
    connection: Connection,
    narrow: [string, string][],
    show: (message: Message) => string[],
    interrupt: () => void,
  ) {
    this.#connection = connection;
    this.#narrow = narrow;
    this.#show = show;
    this.#interrupt = interrupt;
  }

  async run(signal: AbortSignal): Promise<void> {
    const parameters = {
      event_types: ["message"],
      fetch_event_types: [],
      narrow: this.#narrow,
      client_capabilities: { notification_settings_null: true },
    };
    await follow(this.#connection, parameters, {
      signal,
      onSnapshot: () => this.#readPast(signal),
      onEvents: (events) => this.#print(events.flatMap(messageOf)),
      onTrouble: (error) => this.#say(error ? `${error.message} Trying again …` : "The server is back."),
    });
  }

  /** The queue exists already, so a new message may be received twice. #print shows it once. */
  async #readPast(signal: AbortSignal): Promise<void> {
    const since =
      this.#newestId === undefined
        ? { anchor: "newest", num_before: FIRST_MESSAGES, num_after: 0 }
        : {
            anchor: String(this.#newestId),
            include_anchor: false,
            num_before: 0,
            num_after: MISSED_MESSAGES,
          };
    const answer = await this.#connection.call(
      getMessages,
      { ...since, narrow: this.#narrow, apply_markdown: false },
      { signal },
    );
    this.#newestId ??= 0;
    this.#print(answer.messages);
  }

  #print(messages: readonly Message[]): void {
    const fresh = messages.filter((message) => message.id > (this.#newestId ?? 0));
    if (fresh.length === 0) return;
    this.#newestId = fresh.at(-1)?.id;
    process.stdout.write(`${fresh.flatMap(this.#show).join("\n")}\n`);
  }

  #say(sentence: string): void {
    process.stderr.write(`— ${sentence}\n`);
    this.#interrupt();
  }
}

function messageOf(event: QueuedEvent): Message[] {
  return event.type === "message"
    ? [{ ...(event.message as Message), flags: (event.flags as string[]) ?? [] }]
    : [];
}

/**
 * The first interrupt aborts the signal. A second one ends the program without deleting its queue. A full
 * disk under the output aborts it too: the program then says so, as after every command.
 */
function untilEnd(): AbortSignal {
  const controller = new AbortController();
  process.stdout.once("error", () => controller.abort());
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(exitCodes.ok);
      controller.abort();
    });
  }
  return controller.signal;
}
