import { For, Show } from "solid-js";
import { live } from "../../ui/live.ts";
import { state } from "../state/state.ts";
import { ProfileFieldForm } from "./profile-field-form.tsx";

const sources = ["profileFields", "generation"];

/** Whether the organization has added fields to profiles. */
export const hasProfileFields = () => live(sources, () => state.model.profileFields.byId.size > 0);

interface ListProps {
  userId: number;
  /** Why a field can't be changed; undefined: it can. */
  reasonFor(field: { isEditableByUser: boolean }): string | undefined;
  /** An empty value takes away what was there. */
  save(id: number, value: string | readonly number[]): Promise<unknown>;
}

/** Somebody's values of all fields. Each is saved on its own, so each says what is wrong with it. */
export function ProfileFieldList(props: ListProps) {
  const ids = live(sources, () => [...state.model.profileFields.byId.keys()]);
  return <For each={ids()}>{(id) => <OneField {...props} id={id} />}</For>;
}

/** Found by its id, so that what is typed stays when fields are changed or moved. */
function OneField(props: ListProps & { id: number }) {
  const field = live(sources, () => state.model.profileFields.byId.get(props.id));
  const value = live(
    [`users:${props.userId}`, "profileFields", "generation"],
    () => state.model.users.get(props.userId)?.profileData?.[props.id]?.value ?? "",
  );
  return (
    <Show when={field()}>
      {(one) => (
        <ProfileFieldForm
          field={one()}
          value={value()}
          reason={props.reasonFor(one())}
          save={(text) => props.save(props.id, text)}
        />
      )}
    </Show>
  );
}
