/** Who is in which channel, and how far they had read there and in conversations. */
import { flagOf, isRow, type Row, textOf } from "../archive/row.ts";
import type { SourceReadMark, SourceSubscription } from "../core/records.ts";
import type { Report } from "../core/report.ts";
import { rowsOf } from "../texts/attachments.ts";
import type { MattermostPeople } from "./people.ts";
import { channelIdOf } from "./records.ts";
import { timeIn } from "./times.ts";
import { usernameIn, usernamesIn } from "./usernames.ts";

/** Each channel that a person's record says they are in. */
export function* membershipsIn(user: Row): Generator<{ channelId: string; row: Row }> {
  for (const team of rowsOf(user.teams)) {
    for (const row of rowsOf(team.channels)) {
      yield { channelId: channelIdOf(textOf(team, "name") ?? "", textOf(row, "name") ?? ""), row };
    }
  }
}

export function subscriptionsOf({ rows }: MattermostPeople): SourceSubscription[] {
  const subscriptions: SourceSubscription[] = [];
  for (const [personId, user] of rows) {
    for (const { channelId, row } of membershipsIn(user)) {
      subscriptions.push({
        ...{ channelId, personId, isCurrent: true },
        intervals: [{ after: 0, upTo: Number.MAX_SAFE_INTEGER }],
        preferences: {
          color: null,
          isMuted: isRow(row.notify_props) && row.notify_props.mark_unread === "mention",
          isPinned: flagOf(row, "favorite"),
          ...{ desktopNotifications: null, audibleNotifications: null, pushNotifications: null },
          ...{ emailNotifications: null, wildcardMentionsNotify: null },
        },
      });
    }
  }
  return subscriptions;
}

export function readMarksOf({ rows }: MattermostPeople): SourceReadMark[] {
  const marks: SourceReadMark[] = [];
  for (const [personId, user] of rows) {
    for (const { channelId, row } of membershipsIn(user)) {
      if (isReadTime(row)) marks.push({ personId, to: { channelId }, readUntil: timeIn(row, VIEWED) ?? 0 });
    }
  }
  return marks;
}

/** What the record of a conversation says. */
export function readMarksIn(row: Row, report: Report): SourceReadMark[] {
  const favorites = usernamesIn(row, "favorited_by").length;
  if (favorites > 0) report.lose("marks of conversations as favorites do not come", undefined, favorites);
  if (textOf(row, "header")?.trim())
    report.lose("headers of conversations do not come", textOf(row, "header"));
  const participants = rowsOf(row.participants);
  const named = usernamesIn(row, "members");
  const personIds =
    named.length > 0 ? named : participants.flatMap((each) => usernameIn(each, "username") ?? []);
  return participants.flatMap((participant) => {
    const personId = usernameIn(participant, "username");
    if (personId === undefined || !isReadTime(participant)) return [];
    return [{ personId, to: { personIds }, readUntil: timeIn(participant, VIEWED) ?? 0 }];
  });
}

const VIEWED = "last_viewed_at";

/** 0 says that nothing was read. What is no time says nothing. */
function isReadTime(row: Row): boolean {
  return row[VIEWED] === 0 || timeIn(row, VIEWED) !== undefined;
}
