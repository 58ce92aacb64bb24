/** The operator's status as JSON: the facts of the page under names of the API's form. */
import type { QueuedMail } from "../../platform/mail/queue-store.ts";
import type { BackupFacts, Moments, OperatorStatus, Sums } from "./status.ts";

export function presentStatus(status: OperatorStatus): object {
  const { at, version, node, uptimeSeconds, health, moments, sums, backup, eventQueues } = status;
  return {
    at,
    version,
    node,
    uptime_seconds: uptimeSeconds,
    is_copy: status.isCopy,
    event_queues: eventQueues,
    health: Object.fromEntries(
      health.map(({ part, level, code, sentence }) => [part, { state: level, code, sentence }]),
    ),
    database_answers: moments !== undefined,
    backup: backup ? presentBackup(backup) : null,
    ...(moments && presentMoments(moments)),
    ...(sums && presentSums(sums)),
  };
}

function presentBackup({ record, nextAt }: BackupFacts): object {
  return {
    last_at: record?.newest?.finishedAt ?? null,
    last_bytes: record?.newest?.bytes ?? null,
    next_at: nextAt ?? null,
    failures: record?.failures ?? 0,
    failure: record?.failure ?? null,
  };
}

function presentMoments(moments: Moments): object {
  const { jobs, jobsWaitedSeconds, searchBacklog, logBehind, databaseConnections, mails } = moments;
  return {
    jobs: { due: jobs.due, failed: jobs.failed, oldest_seconds: jobsWaitedSeconds },
    search_backlog_messages: searchBacklog,
    log_behind_positions: logBehind,
    database_connections: databaseConnections,
    mails: {
      waiting: mails.waiting,
      failed: mails.failed,
      refused: mails.refused,
      oldest_seconds: mails.oldestSeconds,
      last_sent_at: mails.lastSentAt,
      newest: mails.mails.map((mail) => presentMail(mail, mails.hosts.get(mail.organizationId))),
    },
  };
}

function presentMail(mail: QueuedMail, host: string | undefined): object {
  return {
    id: mail.id,
    host: host ?? null,
    state: mail.state,
    kind: mail.kind,
    recipient: mail.recipient,
    attempts: mail.attempts,
    queued_at: mail.queuedAt,
    last_answer: mail.lastAnswer,
    next_try_at: mail.nextTryAt,
  };
}

function presentSums({ organizations, databaseBytes, fileBytes, largest }: Sums): object {
  return {
    database_bytes: databaseBytes,
    file_bytes: fileBytes,
    organizations: {
      count: organizations,
      largest: largest.map(({ host, name, isActive, people, messages, bytes }) => ({
        host,
        name,
        is_active: isActive,
        people,
        estimated_messages: messages,
        file_bytes: bytes,
      })),
    },
  };
}
