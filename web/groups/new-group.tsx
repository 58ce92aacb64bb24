import { createSignal, onCleanup } from "solid-js";
import { createUserGroup } from "../../api/groups/groups.ts";
import { MAX_GROUP_DESCRIPTION_LENGTH, MAX_GROUP_NAME_LENGTH } from "../../api/limits.ts";
import { t } from "../i18n/t.ts";
import { PickField } from "../shared/groups/pick-field.tsx";
import { findPicked, type Picked } from "../shared/groups/picked.ts";
import { go } from "../shared/routing/route.ts";
import { watchUnsaved } from "../shared/routing/unsaved.ts";
import { state } from "../shared/state/state.ts";
import { TextField } from "../ui/fields.tsx";
import { createSaving, SavingNote } from "../ui/saving.tsx";

/** Creates a group, and shows its members. */
export function NewGroup() {
  const saving = createSaving();
  const [name, setName] = createSignal("");
  const [description, setDescription] = createSignal("");
  const [chosen, setChosen] = createSignal<readonly Picked[]>([
    { kind: "person", id: state.model.viewer.id },
  ]);
  const idsOf = (wanted: Picked["kind"]) => chosen().flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
  const find = (text: string) => {
    const usable = [...state.model.groups.byId.values()].filter(
      (group) => !group.isDeactivated && group.name !== "role:nobody" && group.name !== "role:internet",
    );
    const groupIds = usable.sort((a, b) => Number(a.isSystem) - Number(b.isSystem)).map(({ id }) => id);
    return findPicked(text, { groupIds });
  };
  let isGone = false;
  onCleanup(() => {
    isGone = true;
  });
  watchUnsaved(() => saving.state() === "idle" && (name() + description()).trim() !== "");
  async function create(): Promise<void> {
    if (saving.state() === "saving") return;
    let groupId = 0;
    const parameters = {
      ...{ name: name().trim(), description: description().trim() },
      ...{ members: idsOf("person"), subgroups: idsOf("group") },
    };
    const isCreated = await saving.run(() =>
      state.track(async () => {
        const answer = await state.connection.call(createUserGroup, parameters);
        groupId = (answer as { group_id: number }).group_id;
      }),
    );
    // A person who has gone elsewhere meanwhile stays there.
    if (isCreated && !isGone) go(`#groups/${groupId}/${encodeURIComponent(name().trim())}/members`);
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <TextField
        label={t("channel.name")}
        required
        value={name()}
        maxLength={MAX_GROUP_NAME_LENGTH}
        onInput={setName}
      />
      <TextField
        label={t("channel.description")}
        value={description()}
        maxLength={MAX_GROUP_DESCRIPTION_LENGTH}
        onInput={setDescription}
      />
      <PickField
        label={t("group.membersTitle")}
        hint={t("group.addHint")}
        chosen={chosen()}
        find={find}
        onChange={setChosen}
      />
      <div class="form-end">
        <button type="submit" class="button primary" disabled={name().trim() === ""}>
          {t("newGroup.create")}
        </button>
        <SavingNote saving={saving} />
      </div>
    </form>
  );
}
