/** Outgoing webhook bots: a program that they call, bots of dev's, and what is said to them and by them. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { notificationBotOf } from "../../server/people/notification-bot.ts";
import { type User, users } from "../../server/people/user.ts";
import { expectSuccess } from "./answers.ts";
import { type CastName, createHarness, type Harness } from "./harness.ts";
import { countJobs, runJobs, runJobsEarly } from "./jobs.ts";

export interface Call {
  headers: http.IncomingHttpHeaders;
  body: string;
}

type Answer = (call: Call, response: http.ServerResponse) => void | Promise<void>;

interface Place {
  bot: User;
  token: string;
  channel: { id: number; name: string };
}

interface Shown {
  sender_id: number;
  content: string;
  subject: string;
}

export const says = (reply: unknown) => (_: Call, response: http.ServerResponse) => {
  response.end(JSON.stringify(reply));
};

const mention = ({ bot }: Place) => `@**${bot.fullName}** soup?`;

/** Starts the server and the program before the tests of a file, and ends them after. */
export function useOutgoingWebhooks() {
  let harness: Harness;
  let receiver: http.Server;
  let url: string;
  let calls: Call[] = [];
  let answer: Answer;
  let made = 0;

  beforeAll(async () => {
    harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
    receiver = http.createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const call = { headers: request.headers, body: Buffer.concat(parts).toString() };
        calls.push(call);
        void answer(call, response);
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/chat`;
  });
  afterAll(async () => {
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
    await harness.services.outbound.settled();
    await harness.close();
  });
  beforeEach(() => {
    calls = [];
    answer = says({ response_not_required: true });
  });

  const fails = (status: number) => (_: Call, response: http.ServerResponse) => {
    response.writeHead(status, { location: url }).end("no");
  };

  /** A bot of dev's, and a channel that both are in. */
  async function makeBot(given: object = {}, channelOptions: { isPrivate?: boolean } = {}): Promise<Place> {
    const name = `Helper ${++made}`;
    const { user_id: id } = await expectSuccess(
      harness.as("dev").post("/bots", {
        full_name: name,
        short_name: `helper${made}`,
        bot_type: 3,
        payload_url: url,
        ...given,
      }),
    );
    const { bots } = await expectSuccess(harness.as("dev").get("/bots"));
    const found = bots.find(({ user_id }: { user_id: number }) => user_id === id);
    const channel = await harness.channel(`kitchen ${made}`, ["ada", "dev", "elin"], channelOptions);
    await expectSuccess(
      harness
        .as("ada")
        .post("/users/me/subscriptions", { subscriptions: [{ name: channel.name }], principals: [id] }),
    );
    return { bot: harness.state.get(users).find(id) as User, token: found.services[0].token, channel };
  }

  async function ask(place: Place, content = mention(place), by: CastName = "elin"): Promise<number> {
    const message = { type: "channel", to: place.channel.id, topic: "lunch", content };
    return (await expectSuccess(harness.as(by).post("/messages", message))).id;
  }

  async function askDirectly(
    { bot }: Place,
    more: readonly number[] = [],
    content = "Soup?",
  ): Promise<number> {
    const message = { type: "direct", to: [bot.id, ...more], content };
    return (await expectSuccess(harness.as("elin").post("/messages", message))).id;
  }

  /** Makes the calls that are due, and waits for their ends. */
  async function deliver(): Promise<void> {
    await runJobs(harness.services);
    await harness.services.outbound.settled();
  }

  async function deliverEarly(): Promise<void> {
    await runJobsEarly(harness.services);
    await harness.services.outbound.settled();
  }

  /** What the bot has said in its channel, in this topic. */
  async function saidIn({ bot, channel }: Place, topic = "lunch"): Promise<Shown[]> {
    const narrow = [
      { operator: "channel", operand: channel.id },
      { operator: "topic", operand: topic },
    ];
    return (await fetch("ada", narrow)).filter(({ sender_id }) => sender_id === bot.id);
  }

  /** What the service has written to dev, who owns the bots, about this one. */
  async function noticesAbout({ bot }: Place): Promise<string[]> {
    const narrow = [{ operator: "dm", operand: [notificationBotOf(harness.state).id] }];
    const all = (await fetch("dev", narrow)).map(({ content }) => content);
    return all.filter((content) => content.includes(bot.fullName));
  }

  async function fetch(name: CastName, narrow: unknown): Promise<Shown[]> {
    const page = { anchor: "newest", num_before: 100, num_after: 0, apply_markdown: false, narrow };
    return (await expectSuccess(harness.as(name).get("/messages", page))).messages;
  }

  const waiting = () => countJobs(harness.services, "call_bot");

  return {
    ...{
      fails,
      makeBot,
      mention,
      ask,
      askDirectly,
      deliver,
      deliverEarly,
      saidIn,
      noticesAbout,
      fetch,
      waiting,
    },
    get harness() {
      return harness;
    },
    /** The address of the program. */
    get url() {
      return url;
    },
    /** How many bots there are. */
    get made() {
      return made;
    },
    /** What the program got since the test began. */
    get calls() {
      return calls;
    },
    /** How the program answers. By default it has nothing to say. */
    get answer() {
      return answer;
    },
    set answer(given: Answer) {
      answer = given;
    },
  };
}
