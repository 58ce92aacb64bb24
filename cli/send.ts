import { sendMessage } from "../api/messages.ts";
import { accountDetails, accountOptions, connect } from "./account.ts";
import { command, exitCodes, UsageError } from "./command.ts";

export const send = command({
  usage: ["send CHANNEL TOPIC TEXT", "send --to EMAIL TEXT"],
  details: `
Sends a message to a channel under a topic, or directly to people, and prints its id. The text is
Markdown; - stands for the standard input. A text that begins with a dash goes after --.
${accountDetails}`,
  options: {
    to: { value: "EMAIL", multiple: true, description: "A person to write to; may be given several times." },
    ...accountOptions,
  },
  words: { min: 1, max: 3 },
  async run({ values, words, environment }) {
    const message = { ...addressee(values.to, words), content: await readText(words.at(-1) ?? "") };
    const { connection } = await connect(values, environment);
    const { id } = await connection.call(sendMessage, message);
    process.stdout.write(`${id}\n`);
    return exitCodes.ok;
  },
});

function addressee(to: string[] | undefined, words: string[]) {
  if (to) {
    if (words.length !== 1) throw new UsageError("With --to there is only the text beside it.");
    return {
      type: "direct" as const,
      to: to.flatMap((emails) => emails.split(",").map((email) => email.trim())),
    };
  }
  const [channel, topic] = words;
  if (channel === undefined || topic === undefined || words.length !== 3) {
    throw new UsageError("A message to a channel has three parts: parley send CHANNEL TOPIC TEXT");
  }
  return { type: "channel" as const, to: channel, topic };
}

async function readText(word: string): Promise<string> {
  if (word !== "-") return word;
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
