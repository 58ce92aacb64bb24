import type { MessageId } from "../../../api/ids.ts";
import type { WidgetAction } from "../../../api/messages/widgets.ts";
import { writePastInteractions } from "../../messages/past.ts";
import type { Change } from "../../platform/log/change.ts";
import type { CastName } from "./cast.ts";
import type { TimedLine } from "./conversations/times.ts";
import { Cast } from "./demo-cast.ts";

export type SentLine = TimedLine & { id: MessageId };

/** Writes what people did with messages of this change, whose rows are there. Nobody gets events. */
export async function writeInteractions(tx: Change, sent: readonly SentLine[]): Promise<void> {
  const cast = new Cast(tx.state);
  const reactions = sent.flatMap(({ id, line: [, , made = {}] }) =>
    Object.entries(made).flatMap(([name, by]) =>
      by.map((person) => ({ messageId: id, userId: cast.user(person).id, name })),
    ),
  );
  const actions = sent.flatMap((message) =>
    widgetActions(message).map(([person, action]) => ({
      messageId: message.id,
      userId: cast.user(person).id,
      action,
    })),
  );
  const stars = sent.flatMap(({ id, line: [, , , { starredBy = [] } = {}] }) =>
    starredBy.map((person) => ({ messageId: id, userId: cast.user(person).id })),
  );
  await writePastInteractions(tx, { reactions, widgetActions: actions, stars });
}

function widgetActions({ from, line: [, , , interactions = {}] }: SentLine): [CastName, WidgetAction][] {
  const votes = (interactions.votes ?? []).flatMap((voters, answer) =>
    voters.map((person): [CastName, WidgetAction] => [
      person,
      { type: "vote", key: `canned,${answer}`, vote: 1 },
    ]),
  );
  const strikes = (interactions.done ?? []).map((task): [CastName, WidgetAction] => [
    from,
    { type: "strike", key: `${task},canned` },
  ]);
  return [...votes, ...strikes];
}
