import { Index } from "solid-js";
import type { Message } from "../../../client/model/messages.ts";
import type { Choices } from "../../../client/widgets/widget.ts";
import { state } from "../../shared/state/state.ts";
import { answerAddress } from "../actions/message-actions.ts";

/** Replies that a bot has prepared. A press sends one to this conversation. */
export function ChoicesBody(props: { message: Message; form: Choices }) {
  const send = (reply: string) => state.outbox.send(answerAddress(props.message), reply);
  return (
    <section class="widget" aria-label={props.form.heading}>
      <p class="widget-title">
        <bdi>{props.form.heading}</bdi>
      </p>
      <ul>
        <Index each={props.form.choices}>
          {(choice) => (
            <li class="choice-row">
              <button type="button" class="quiet" onClick={() => send(choice().reply)}>
                <bdi>{choice().shortName}</bdi>
              </button>
              <bdi>{choice().longName}</bdi>
            </li>
          )}
        </Index>
      </ul>
    </section>
  );
}
