import { endSessionsAsOperator, readSessions } from "../../server/accounts/sessions/operator-sessions.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { CommandError, command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, print, printAll } from "../options/json.ts";
import { findOrganization, findPerson, hostOption } from "../options/people.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const userSessions = command({
  usage: ["user sessions EMAIL [--end ID | --end-all]"],
  details: `
Lists where somebody is signed in: number, when the session began, its last use, network and device. With
--end one of the sessions ends at once, with --end-all each of them; the person gets a mail. API keys go on
working: parley api-key EMAIL --regenerate replaces one.`,
  options: {
    end: { value: "ID", description: "End the one with this number." },
    "end-all": { description: "End all of them." },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 1, max: 1 },
  async run({ values, words, environment }) {
    const [email = ""] = words;
    if (values.end !== undefined && values["end-all"] === true)
      throw new UsageError("--end and --end-all: give one of them.");
    const sessionId = values.end === undefined ? undefined : Number(values.end);
    if (sessionId !== undefined && !Number.isSafeInteger(sessionId))
      throw new UsageError("--end: not a number");
    const isEnding = sessionId !== undefined || values["end-all"] === true;
    await withInstallation(environment, async (services) => {
      const state = await findOrganization(services, values.host);
      if (!isEnding) return list(state, email, values);
      const ended = await runStateChange(state, (tx) =>
        endSessionsAsOperator(tx, services, findPerson(state, email), sessionId),
      );
      if (ended === 0 && sessionId !== undefined)
        throw new CommandError(
          "not-found",
          `${email} has no session ${sessionId}. Without --end the command lists them.`,
        );
      const text = ended === 1 ? "A session" : `${ended} sessions`;
      print(values, `${text} of ${email} ended. API keys go on working.\n`, { email, ended });
    });
    return exitCodes.ok;
  },
});

async function list(state: OrganizationState, email: string, values: { json?: boolean }): Promise<void> {
  const all = await readSessions(state, findPerson(state, email));
  if (all.length === 0 && values.json !== true) process.stdout.write(`${email} is signed in nowhere.\n`);
  printAll(values, all, lineOf, ({ id, device, network, createdAt, lastUsedAt }) => ({
    ...{ id, device, network },
    created_at: createdAt,
    last_used_at: lastUsedAt,
  }));
}

function lineOf({
  id,
  createdAt,
  lastUsedAt,
  network,
  device,
}: Awaited<ReturnType<typeof readSessions>>[number]): string {
  const dates = [createdAt, lastUsedAt].map((date) => date.toISOString().slice(0, 10)).join("  ");
  return `${id}  ${dates}  ${network}  ${safeLine(device)}`;
}
