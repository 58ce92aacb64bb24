import type { ProfileField } from "../../client/model/profile-fields.ts";
import { PickField } from "../app/groups/pick-field.tsx";
import { findPicked } from "../app/groups/picked.ts";
import { createSaving } from "../ui/saving.tsx";
import { Marked } from "./own-setting.tsx";
import { peopleOf } from "./profile-values.ts";
import { saveProfileValue } from "./save-profile-value.ts";

interface PeopleProps {
  field: ProfileField;
  label: string;
  hint: string | undefined;
  value: string;
}

/** A field that names people. */
export function PeopleValue(props: PeopleProps) {
  const saving = createSaving();
  const chosen = () => peopleOf(props.value).map((id) => ({ kind: "person", id }) as const);
  const save = (ids: readonly number[]) =>
    void saving.run(() => saveProfileValue(props.field.id, ids.length > 0 ? ids : ""));
  return (
    <Marked saving={saving}>
      <PickField
        label={props.label}
        hint={props.hint}
        problem={saving.problem()}
        chosen={chosen()}
        find={(text) => findPicked(text, {})}
        onChange={(people) => save(people.map(({ id }) => id))}
      />
    </Marked>
  );
}
