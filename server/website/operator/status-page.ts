import type { BackupRecord } from "../../platform/backup/backup-record.ts";
import { describeSeconds } from "../../platform/health/duration.ts";
import { type Html, html, type Page } from "../../platform/http/page.ts";
import type { MailState, QueuedMail } from "../../platform/mail/queue-store.ts";
import { RETRY_PATH, SIGN_OUT_PATH } from "./sign-in-page.ts";
import type { BackupFacts, Moments, OperatorStatus, Sums } from "./status.ts";
import { statusStyle } from "./status-style.ts";

/** The status for people. Names of organizations and answers of mail servers are other people's texts. */
export function statusPage(status: OperatorStatus): Page {
  const { at, version, node, uptimeSeconds, moments, sums, backup, isCopy } = status;
  return {
    title: "Operator · Parley",
    style: statusStyle,
    body: html`<main>
<header><h1>Operator</h1>
<form method="post" action="${SIGN_OUT_PATH}"><button class="second" type="submit">Sign out</button></form></header>
<p class="hint">Parley ${version} · Node.js ${node} · running for ${describeSeconds(uptimeSeconds)} · ${when(at)}</p>
${isCopy && html`<p class="notice">This is a copy of an installation. It mails nobody and makes no backups.</p>`}
${!moments && html`<p class="notice" role="alert">The database does not answer. Only what this process knows itself is shown.</p>`}
<h2>Health</h2>
${healthList(status.health)}
${
  sums &&
  html`<h2>Sizes</h2>
<dl><div><dt>Database</dt><dd>${bytesText(sums.databaseBytes)}</dd></div>
<div><dt>Uploaded files</dt><dd>${bytesText(sums.fileBytes)}</dd></div></dl>`
}
${moments && momentsPart(moments, status.eventQueues)}
<h2>Backups</h2>
${backup ? backupPart(backup) : html`<p>This server makes no backups by itself.</p>`}
${sums && organizationsPart(sums)}
${moments && mailPart(moments.mails, at, isCopy)}
</main>`,
  };
}

function healthList(health: OperatorStatus["health"]): Html {
  if (health.length === 0) return html`<p>The parts have not been looked at yet.</p>`;
  return html`<ul class="parts">${health.map(
    ({ part, level, sentence }) =>
      html`<li><span class="level ${level}">${level}</span> <strong>${part}</strong> ${sentence}</li>`,
  )}</ul>`;
}

function momentsPart(moments: Moments, eventQueues: number): Html {
  const { jobs, jobsWaitedSeconds, searchBacklog, logBehind, databaseConnections } = moments;
  const oldest = jobs.due > 0 ? `, the oldest for ${describeSeconds(jobsWaitedSeconds)}` : "";
  return html`<h2>Work</h2>
<dl><div><dt>Background jobs</dt><dd>${jobs.due} due${oldest}; ${jobs.failed} failed for good</dd></div>
<div><dt>Search index</dt><dd>${searchBacklog} messages behind</dd></div>
<div><dt>Log</dt><dd>this process is ${logBehind} positions behind</dd></div>
<div><dt>Connections</dt><dd>${databaseConnections} to the database; ${eventQueues} event queues in this process</dd></div></dl>`;
}

function backupPart({ record, nextAt }: BackupFacts): Html {
  return html`<dl><div><dt>Last</dt><dd>${lastBackup(record)}</dd></div>
<div><dt>Next</dt><dd>${nextAt ? when(nextAt) : "none is due"}</dd></div>
${
  record?.failure !== undefined &&
  html`<div><dt>Failed</dt><dd>${record.failures} since then, last ${when(record.failure.at)}: ${record.failure.sentence}</dd></div>`
}</dl>`;
}

function lastBackup(record: BackupRecord | undefined): Html {
  if (!record?.newest) return html`none yet`;
  return html`${when(record.newest.finishedAt)}, ${bytesText(record.newest.bytes)}`;
}

function mailPart(mails: Moments["mails"], at: Date, isCopy: boolean): Html {
  const { waiting, failed, refused, oldestSeconds, lastSentAt } = mails;
  const oldest = waiting > 0 ? `, the oldest for ${describeSeconds(oldestSeconds)}` : "";
  const more = [...mails.more].map(([state, count]) => html`<p class="hint">${count} more: ${state}</p>`);
  return html`<h2 id="mail">Mail</h2>
<p>${waiting} waiting${oldest}; ${failed} failed; ${refused} refused. Last one sent: ${
    lastSentAt ? when(lastSentAt) : "unknown"
  }.</p>
${
  mails.mails.length > 0 &&
  html`${!isCopy && retryForm("all", "Try all again")}
<div class="wide"><table>
<thead><tr><th>Mail</th><th>Organization</th><th>To</th><th>Tries</th><th>Last answer</th><th>Next try</th><td></td></tr></thead>
<tbody>${mails.mails.map((mail) => mailRow(mail, mails.hosts.get(mail.organizationId), at, isCopy))}</tbody>
</table></div>${more}`
}`;
}

const words: Readonly<Record<MailState, string>> = {
  waiting: "waiting",
  failed: "failed: its tries are used up",
  refused: "refused by the mail server",
};

function mailRow(mail: QueuedMail, host: string | undefined, at: Date, isCopy: boolean): Html {
  const { id, kind, recipient, attempts, lastAnswer, nextTryAt, queuedAt, state } = mail;
  const age = describeSeconds(Math.max(0, (at.getTime() - queuedAt.getTime()) / 1000));
  const next = nextTryAt && (nextTryAt <= at ? "now" : when(nextTryAt));
  return html`<tr><td>${id}, ${kind ?? "unknown kind"}<br><span class="hint">${age} old</span></td><td>${host ?? "?"}</td><td class="whole">${
    recipient ?? "unknown"
  }</td><td>${attempts}</td><td>${lastAnswer ?? "none yet"}</td><td>${next ?? words[state]}</td><td>${
    !isCopy && retryForm(String(id), "Try again")
  }</td></tr>
`;
}

function retryForm(mail: string, label: string): Html {
  return html`<form method="post" action="${RETRY_PATH}"><input type="hidden" name="mail" value="${mail}"><button class="second" type="submit">${label}</button></form>`;
}

function organizationsPart({ organizations, largest }: Sums): Html {
  const others = organizations - largest.length;
  return html`<h2>Organizations</h2>
<div class="wide"><table>
<thead><tr><th>Name</th><th>Host</th><th>State</th><th class="number">People</th><th class="number">Messages</th><th class="number">Files</th></tr></thead>
<tbody>${largest.map(
    ({ name, host, isActive, people, messages, bytes }) =>
      html`<tr><td>${name}</td><td>${host}</td><td>${isActive ? "active" : "deactivated"}</td><td class="number">${people}</td><td class="number">${
        messages === null ? "–" : `≈ ${messages}`
      }</td><td class="number">${bytesText(bytes)}</td></tr>
`,
  )}</tbody>
</table></div>
${others > 0 && html`<p class="hint">${others} more organizations, which are smaller.</p>`}`;
}

function when(time: Date | string): Html {
  const text = new Date(time).toISOString();
  return html`<time datetime="${text}">${text.slice(0, 16).replace("T", " ")} UTC</time>`;
}

/** In the largest unit of which there is one: "0 B", "12.3 MB". */
export function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
