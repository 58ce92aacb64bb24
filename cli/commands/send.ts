import { sendMessage } from "../../api/messages/messages.ts";
import { command, exitCodes, UsageError } from "../command.ts";
import { accountDetails, accountOptions, connect } from "../options/account.ts";
import { jsonOption, print } from "../options/json.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const send = command({
  usage: ["send CHANNEL TOPIC TEXT", "send --to EMAIL TEXT"],
  details: `
Sends a message to a channel under a topic, or directly to people. The text is Markdown. Use - to read
it from standard input, and put a text that begins with a dash after --.
${accountDetails}`,
  options: {
    to: { value: "EMAIL", multiple: true, description: "A person to write to; may be given several times." },
    quiet: { short: "q", description: "Print only the id of the message, for programs." },
    json: jsonOption,
    ...accountOptions,
  },
  settings: ["data-dir", "port"],
  words: { min: 1, max: 3 },
  async run({ values, words, environment }) {
    const { message, destination } = addressee(values.to, words);
    const content = await readText(words.at(-1) ?? "");
    const { connection } = await connect(values, environment);
    const { id } = await connection.call(sendMessage, { ...message, content });
    print(values, values.quiet ? `${id}\n` : `Sent message ${id} to ${safeLine(destination)}\n`, { id });
    return exitCodes.ok;
  },
});

function addressee(to: string[] | undefined, words: string[]) {
  if (to) {
    if (words.length !== 1) throw new UsageError("With --to, give the text as the only argument.");
    const people = to.flatMap((emails) => emails.split(",").map((email) => email.trim()));
    return { message: { type: "direct" as const, to: people }, destination: people.join(", ") };
  }
  const [channel, topic] = words;
  if (channel === undefined || topic === undefined || words.length !== 3) {
    throw new UsageError("A message to a channel needs three arguments: parley send CHANNEL TOPIC TEXT");
  }
  return {
    message: { type: "channel" as const, to: channel, topic },
    destination: `#${channel} › ${topic}`,
  };
}

async function readText(word: string): Promise<string> {
  if (word !== "-") return word;
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
