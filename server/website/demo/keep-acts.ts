import type { MessageId } from "../../../api/ids.ts";
import type { WidgetAction } from "../../../api/messages/widgets.ts";
import { setPersonalFlag } from "../../messages/model/flags.ts";
import { personalFlags } from "../../messages/model/message.ts";
import { insertSubmessage, WIDGET_KIND } from "../../messages/model/submessages.ts";
import { addEarlierReactions } from "../../messages/reactions/actions.ts";
import type { Change } from "../../platform/log/change.ts";
import type { CastName } from "./cast.ts";
import type { TimedLine } from "./conversations/times.ts";
import { Cast } from "./demo-cast.ts";

export type SentLine = TimedLine & { id: MessageId };

/** Writes what people did with messages of this change, whose rows are there. Nobody gets events. */
export async function keepActs(tx: Change, sent: readonly SentLine[]): Promise<void> {
  const cast = new Cast(tx.state);
  const reactions = sent.flatMap(({ id, line: [, , made = {}] }) =>
    Object.entries(made).flatMap(([name, by]) =>
      by.map((person) => ({ messageId: id, userId: cast.user(person).id, name })),
    ),
  );
  await addEarlierReactions(tx, tx.state, reactions);
  for (const one of sent) {
    for (const [person, action] of widgetActions(one)) {
      await insertSubmessage(tx, tx.state.organizationId, {
        messageId: one.id,
        senderId: cast.user(person).id,
        kind: WIDGET_KIND,
        content: JSON.stringify(action),
      });
    }
    for (const person of one.line[3]?.starredBy ?? []) {
      await setPersonalFlag(tx, cast.user(person).id, [one.id], personalFlags.starred);
    }
  }
}

function widgetActions({ from, line: [, , , acts = {}] }: SentLine): [CastName, WidgetAction][] {
  const votes = (acts.votes ?? []).flatMap((voters, answer) =>
    voters.map((person): [CastName, WidgetAction] => [
      person,
      { type: "vote", key: `canned,${answer}`, vote: 1 },
    ]),
  );
  const strikes = (acts.done ?? []).map((task): [CastName, WidgetAction] => [
    from,
    { type: "strike", key: `${task},canned` },
  ]);
  return [...votes, ...strikes];
}
