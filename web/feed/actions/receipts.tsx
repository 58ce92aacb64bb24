import { createSignal, For, onMount, Show } from "solid-js";
import { getReadReceipts } from "../../../api/messages/read-state.ts";
import { language, t } from "../../i18n/t.ts";
import { problemOf } from "../../shared/state/problem-of.ts";
import { state } from "../../shared/state/state.ts";
import { nameOf } from "../../shared/text/names.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Dialog } from "../../ui/dialog.tsx";

/** Who has read a message. */
export function Receipts(props: { messageId: number; onClose(): void }) {
  const [readers, setReaders] = createSignal<readonly number[]>();
  const [problem, setProblem] = createSignal<string>();
  onMount(async () => {
    const parameters = { message_id: props.messageId };
    setProblem(
      await problemOf(async () => {
        const { user_ids } = await state.connection.call(getReadReceipts, parameters);
        const order = new Intl.Collator(language());
        setReaders([...user_ids].sort((a, b) => order.compare(nameOf(a), nameOf(b))));
      }),
    );
  });
  const summary = () => {
    const found = readers();
    return found && t(found.length === 0 ? "receipts.none" : "receipts.count", { count: found.length });
  };
  return (
    <Dialog label={t("receipts.title")} class="receipts" onClose={() => props.onClose()}>
      <h2>{t("receipts.title")}</h2>
      <Show when={problem()}>
        {(words) => (
          <p class="problem" role="alert">
            {words()}
          </p>
        )}
      </Show>
      <p class="receipts-count" aria-busy={readers() === undefined && problem() === undefined}>
        {summary()}
      </p>
      <ul>
        <For each={readers()}>
          {(userId) => (
            <li>
              <Avatar user={state.model.users.get(userId)} />
              <bdi>{nameOf(userId)}</bdi>
            </li>
          )}
        </For>
      </ul>
    </Dialog>
  );
}
