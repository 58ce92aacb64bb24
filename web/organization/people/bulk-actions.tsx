/** What administrators do with several people at once. */
import { type Accessor, createSignal } from "solid-js";
import { deactivateUser } from "../../../api/people/deactivate-users.ts";
import { updateUser } from "../../../api/people/update-users.ts";
import { roles } from "../../../api/roles.ts";
import { t } from "../../i18n/t.ts";
import { problemOf } from "../../shared/state/problem-of.ts";
import { state } from "../../shared/state/state.ts";
import { nameOf } from "../../shared/text/names.ts";
import { Select } from "../../ui/fields.tsx";
import { createForm, FormDialog } from "../../ui/form-dialog.tsx";
import { askFirst } from "../../ui/menus.tsx";
import { openOverlay } from "../../ui/overlay.ts";
import { call } from "../calls.ts";
import { roleOf, roleOptions } from "./role-name.ts";

const viewerRole = () => state.model.viewer.user?.role ?? roles.guest;

/** Oneself is changed alone, on purpose. An owner is changed by owners. */
export function canChange(id: number): boolean {
  const user = state.model.users.get(id);
  if (!user || id === state.model.viewer.id) return false;
  return viewerRole() === roles.owner || user.role !== roles.owner;
}

export function bulkActions(ids: Accessor<readonly number[]>, done: () => void) {
  return (
    <>
      <button
        type="button"
        class="button"
        onClick={() => openOverlay((close) => <ChangeRoles ids={ids()} done={done} onClose={close} />)}
      >
        {t("users.changeRole")}
      </button>
      <button type="button" class="button dangerous" onClick={() => askToDeactivate(ids(), done)}>
        {t("users.deactivate")}
      </button>
    </>
  );
}

function ChangeRoles(props: { ids: readonly number[]; done(): void; onClose(): void }) {
  const [role, setRole] = createSignal<string>(String(roles.member));
  const change = (id: number) => call(updateUser, { user_id: id, role: roleOf(role()) });
  const form = createForm(
    async () => {
      const others = props.ids.filter((id) => state.model.users.get(id)?.role !== roleOf(role()));
      const problem = await changeAll(others, change);
      if (problem === undefined) props.done();
      return problem;
    },
    () => props.onClose(),
  );
  return (
    <FormDialog
      title={t("users.changeRoleTitle", { count: props.ids.length })}
      class="settings-dialog"
      action={t("settings.save")}
      form={form}
    >
      <Select
        label={t("users.role")}
        value={role()}
        options={roleOptions(viewerRole() === roles.owner ? roles.owner : roles.administrator)}
        onChange={setRole}
      />
    </FormDialog>
  );
}

function askToDeactivate(ids: readonly number[], done: () => void): void {
  askFirst({
    title: t("users.deactivateMany", { count: ids.length }),
    text: t("users.deactivateManyText"),
    action: t("users.deactivate"),
    async run() {
      const active = ids.filter((id) => state.model.users.get(id)?.isActive);
      const problem = await changeAll(active, (id) => call(deactivateUser, { user_id: id }));
      if (problem === undefined) done();
      return problem;
    },
  });
}

/**
 * One call after another, so that a question for a proof is asked once. The others are changed too when one
 * can't be. Gives what went wrong, in words.
 */
async function changeAll(
  ids: readonly number[],
  change: (id: number) => Promise<unknown>,
): Promise<string | undefined> {
  let count = 0;
  let first: string | undefined;
  for (const id of ids) {
    const problem = await problemOf(() => change(id));
    if (problem === undefined) continue;
    count++;
    first ??= `${nameOf(id)}: ${problem}`;
  }
  return first === undefined ? undefined : t("users.notChanged", { count, problem: first });
}
