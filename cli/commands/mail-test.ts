import { withNumber } from "../../server/platform/faults/catalogue.ts";
import { command, exitCodes, UsageError } from "../command.ts";
import { checkSettings } from "../doctor/checks.ts";
import { checkMail, isMailAddress } from "../doctor/mail-check.ts";
import { jsonOption, print } from "../options/json.ts";

export const mailTest = command({
  usage: ["mail test ADDRESS"],
  details: `
Sends one mail to the address by the server's settings, and prints what the mail server answered. Exits
with 1 if the mail server did not take it. It needs no running server, and changes no data.`,
  options: { json: jsonOption },
  words: { min: 1, max: 1 },
  async run({ words, values, environment }) {
    const [to = ""] = words;
    if (!isMailAddress(to)) {
      throw new UsageError(`'${to}' is not an email address. Write one such as ada@example.com.`);
    }
    const { finding, config } = checkSettings(environment);
    const { hasPassed, fault, text, advice } = config ? await checkMail(config, to) : finding;
    const line = fault === undefined ? text : withNumber(fault, text);
    const lines = advice === undefined ? [line] : [line, `→ ${advice}`];
    print(values, `${lines.join("\n")}\n`, { is_taken: hasPassed, answer: text, advice: advice ?? null });
    return hasPassed ? exitCodes.ok : exitCodes.failure;
  },
});
