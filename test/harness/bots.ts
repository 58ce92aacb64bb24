/** Bots of people of the cast: making them, and calling as they do. */
import { afterAll, beforeAll } from "vitest";
import { users } from "../../server/people/user.ts";
import { expectSuccess } from "./answers.ts";
import { type CastName, createHarness, type Harness, HOST } from "./harness.ts";

export interface Made {
  user_id: number;
  api_key: string;
}

export const outgoing = { bot_type: 3, payload_url: "https://build.example.com/chat" };

/** Starts the server before the tests of a file, and ends it after. */
export function useBots() {
  let harness: Harness;
  beforeAll(async () => {
    harness = await createHarness();
    await harness.channel("general", ["ada", "dev"]);
    await harness.channel("leads", ["ada"], { isPrivate: true });
  });
  afterAll(() => harness.close());

  let made = 0;

  async function make(owner: CastName, given: object = {}): Promise<Made> {
    const bot = { full_name: `Bot ${++made}`, short_name: `bot${made}`, ...given };
    return (await expectSuccess(harness.as(owner).post("/bots", bot))) as unknown as Made;
  }

  const userOf = (id: number) => harness.state.get(users).find(id);

  /** A call with the credentials of a bot. */
  async function asBot(bot: Made, method: "GET" | "POST" | "PUT" | "DELETE", path: string, fields = {}) {
    const pairs = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    const query = new URLSearchParams(pairs).toString();
    const basic = Buffer.from(`${userOf(bot.user_id)?.email}:${bot.api_key}`).toString("base64");
    const response = await harness.app.inject({
      method,
      url: `/api/v1${path}?${query}`,
      headers: { host: HOST, authorization: `Basic ${basic}` },
    });
    return { status: response.statusCode, body: response.json() };
  }

  return {
    ...{ make, userOf, asBot },
    get harness() {
      return harness;
    },
  };
}
