import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CommandError } from "./command.ts";

/** Where a person is asked. Questions go to standard error, so that standard output holds results only. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream & { isTTY?: boolean };
}

const ours: Terminal = { input: process.stdin, output: process.stderr };

/** Whether there is a person to ask. */
export function canAsk({ input, output }: Terminal = ours): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/** Asks for a line until there is one. Ctrl+C and the end of the input end the command. */
export async function ask(question: string, terminal: Terminal = ours): Promise<string> {
  for (;;) {
    const answer = (await readLine(`${question}: `, terminal)).trim();
    if (answer !== "") return answer;
  }
}

/** Asks for a password, which is not shown, and once more to catch a slip. */
export async function askNewPassword(question: string, terminal: Terminal = ours): Promise<string> {
  for (;;) {
    const password = await readHidden(`${question}: `, terminal);
    if (password === "") continue;
    if ((await readHidden("The same again: ", terminal)) === password) return password;
    terminal.output.write("The two differ.\n");
  }
}

async function readHidden(text: string, { input, output }: Terminal): Promise<string> {
  output.write(text);
  // The terminal's own echo is off while readline reads, and here readline's goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const line = await readLine("", { input, output: nowhere });
  output.write("\n");
  return line;
}

async function readLine(text: string, { input, output }: Terminal): Promise<string> {
  const reader = createInterface({ input, output, terminal: true, historySize: 0 });
  try {
    return await new Promise<string>((resolve, reject) => {
      const giveUp = () => reject(new CommandError("Given up; nothing was changed."));
      reader.once("SIGINT", giveUp);
      reader.once("close", giveUp);
      reader.question(text).then(resolve, reject);
    });
  } finally {
    reader.close();
  }
}
