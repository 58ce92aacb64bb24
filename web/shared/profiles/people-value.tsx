import { Marked } from "../../ui/saved-mark.tsx";
import { createSaving } from "../../ui/saving.tsx";
import { PickField } from "../groups/pick-field.tsx";
import { findPicked } from "../groups/picked.ts";
import { peopleOf } from "./profile-values.ts";

interface PeopleProps {
  label: string;
  hint: string | undefined;
  value: string;
  save(value: string | readonly number[]): Promise<unknown>;
}

/** A field that names people. */
export function PeopleValue(props: PeopleProps) {
  const saving = createSaving();
  const chosen = () => peopleOf(props.value).map((id) => ({ kind: "person", id }) as const);
  const save = (ids: readonly number[]) => void saving.run(() => props.save(ids.length > 0 ? ids : ""));
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
