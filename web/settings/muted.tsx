import { unmuteUser } from "../../api/attention/muted-users.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { nameOf } from "../shared/text/names.ts";
import { shortTime } from "../shared/text/times.ts";
import { Avatar } from "../ui/avatar.tsx";
import { FilteredList } from "../ui/filtered-list.tsx";
import { live } from "../ui/live.ts";
import { Problem } from "../ui/problem.tsx";
import { createSaving } from "../ui/saving.tsx";

function sinceOf(userId: number): number {
  return new Map(state.model.mutedUsers.all()).get(userId) ?? 0;
}

/** The people whose messages are hidden. */
export function MutedPeople() {
  const saving = createSaving();
  const people = live(["mutedUsers", "users", "generation"], () =>
    [...state.model.mutedUsers.all()].map(([id]) => id),
  );
  const unmute = (muted_user_id: number) =>
    void saving.run(() => state.track(() => state.connection.call(unmuteUser, { muted_user_id })));
  return (
    <>
      <p class="hint">{t("own.muted.hint")}</p>
      <Problem text={saving.problem()} />
      <FilteredList
        label={t("own.muted")}
        items={people()}
        empty={t("own.muted.empty")}
        textOf={nameOf}
        draw={(id) => <MutedRow id={id} onUnmute={() => unmute(id)} />}
      />
    </>
  );
}

function MutedRow(props: { id: number; onUnmute(): void }) {
  const sources = [`users:${props.id}`, "generation"];
  const user = live(sources, () => state.model.users.get(props.id));
  const name = live(sources, () => nameOf(props.id));
  return (
    <>
      <Avatar user={user()} />
      <span class="grows">
        <bdi>{name()}</bdi>
        <span class="quiet-line">{t("own.muted.since", { time: shortTime(sinceOf(props.id) * 1000) })}</span>
      </span>
      <button type="button" class="button" onClick={() => props.onUnmute()}>
        {t("own.muted.unmute")}
        <bdi class="sr">: {name()}</bdi>
      </button>
    </>
  );
}
