import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CommandError } from "../command.ts";

/** Where a person is asked. Questions go to standard error, so that standard output has results only. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream & { isTTY?: boolean };
}

const ownTerminal: Terminal = { input: process.stdin, output: process.stderr };

/** Whether a person can answer, which takes a terminal for input and output. */
export function canAsk({ input, output }: Terminal = ownTerminal): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/** Asks until the answer is not empty. Throws a CommandError at Ctrl+C and at the end of the input. */
export async function ask(question: string, terminal: Terminal = ownTerminal): Promise<string> {
  for (;;) {
    const answer = (await readLine(`${question}: `, terminal)).trim();
    if (answer !== "") return answer;
  }
}

/** Asks for a password without showing it, and once more to catch a typing mistake. */
export async function askNewPassword(question: string, terminal: Terminal = ownTerminal): Promise<string> {
  for (;;) {
    const password = await readHidden(`${question}: `, terminal);
    if (password === "") continue;
    if ((await readHidden("The password again: ", terminal)) === password) return password;
    terminal.output.write("The two passwords differ. Try again.\n");
  }
}

async function readHidden(text: string, { input, output }: Terminal): Promise<string> {
  output.write(text);
  // The terminal's own echo is off while readline reads, and this output discards readline's echo.
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const line = await readLine("", { input, output: discard });
  output.write("\n");
  return line;
}

async function readLine(text: string, { input, output }: Terminal): Promise<string> {
  const reader = createInterface({ input, output, terminal: true, historySize: 0 });
  try {
    return await new Promise<string>((resolve, reject) => {
      const cancel = () => reject(new CommandError("cancelled", "Cancelled; nothing was changed."));
      reader.once("SIGINT", cancel);
      reader.once("close", cancel);
      reader.question(text).then(resolve, reject);
    });
  } finally {
    reader.close();
  }
}
