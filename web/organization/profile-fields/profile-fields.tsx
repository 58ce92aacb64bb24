/** Fields that the organization adds to profiles. */

import { deleteProfileField, reorderProfileFields } from "../../../api/profiles/profile-fields.ts";
import type { ProfileField } from "../../../client/model/profile-fields.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { live } from "../../ui/live.ts";
import { createOrder } from "../../ui/order.ts";
import { openOverlay } from "../../ui/overlay.ts";
import { createSaving } from "../../ui/saving.tsx";
import { call, isAdministrator } from "../calls.ts";
import { ask } from "../controls/ask.ts";
import { ItemList, ItemRow } from "../controls/item-list.tsx";
import { OrderButtons } from "../controls/order-buttons.tsx";
import { EditProfileField } from "./edit-profile-field.tsx";
import { typeLabel } from "./profile-field-type.ts";

const sources = ["profileFields", "generation"];
export function ProfileFieldSection() {
  const may = isAdministrator();
  const saving = createSaving();
  const stored = live(sources, () => [...state.model.profileFields.byId.keys()]);
  const order = createOrder(stored, (ids) =>
    saving.run(() => call(reorderProfileFields, { order: [...ids] })),
  );
  const edit = (id?: number) => openOverlay((close) => <EditProfileField id={id} onClose={close} />);
  return (
    <ItemList
      about={t("profileFields.about")}
      title={t("profileFields.title")}
      none={t("profileFields.none")}
      addLabel={t("profileFields.add")}
      add={() => edit()}
      mayChange={may()}
      problem={saving.problem()}
      items={order.ids()}
      row={(id) => {
        const field = live(sources, () => state.model.profileFields.byId.get(id));
        const name = () => field()?.name ?? "";
        return (
          <ItemRow
            name={name()}
            shown={<bdi>{name()}</bdi>}
            about={aboutField(field())}
            mayChange={may()}
            edit={() => edit(id)}
            remove={() => askToRemove(id, name())}
          >
            <OrderButtons order={order} id={id} name={name()} />
          </ItemRow>
        );
      }}
    />
  );
}

function aboutField(field: ProfileField | undefined): string {
  if (!field) return "";
  const parts = [
    typeLabel(field.type),
    field.isInSummary && t("profileFields.inSummary"),
    field.isRequired && t("profileFields.required"),
    !field.isEditableByUser && t("profileFields.notEditable"),
  ];
  return parts.filter((part) => part !== false).join(" · ");
}

function askToRemove(id: number, name: string): void {
  ask({
    title: t("profileFields.removeTitle", { name }),
    text: t("profileFields.removeText"),
    action: t("organization.deleteAction"),
    run: () => call(deleteProfileField, { field_id: id }),
  });
}
