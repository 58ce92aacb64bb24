import {
  createProfileField as createProfileFieldEndpoint,
  deleteProfileField as deleteProfileFieldEndpoint,
  getProfileFields,
  removeProfileData,
  reorderProfileFields as reorderProfileFieldsEndpoint,
  updateProfileData,
  updateProfileField as updateProfileFieldEndpoint,
} from "../../../api/profiles/profile-fields.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { changeContent, changeState } from "../../people/viewer/change.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import {
  createProfileField,
  deleteProfileField,
  reorderProfileFields,
  updateProfileField,
} from "./actions.ts";
import { setProfileData } from "./change-values.ts";
import { presentListedField } from "./present.ts";
import { profileFields } from "./profile-fields.ts";

export function profileFieldRoutes({ config }: Pick<Services, "config">): Route[] {
  const quotas = new Quotas(config);
  return [
    route(getProfileFields, ({ state }) => ({
      custom_fields: state.get(profileFields).all.map(presentListedField),
    })),
    route(createProfileFieldEndpoint, async ({ viewer, params: { fieldType, ...request } }) => {
      const { id } = await changeState(viewer, (tx) => createProfileField(tx, quotas, fieldType, request));
      return { id };
    }),
    route(reorderProfileFieldsEndpoint, async ({ viewer, params }) => {
      await changeState(viewer, (tx) => reorderProfileFields(tx, params.order));
      return {};
    }),
    route(updateProfileFieldEndpoint, async ({ viewer, params: { fieldId, ...request } }) => {
      await changeState(viewer, (tx) => updateProfileField(tx, fieldId, request));
      return {};
    }),
    route(deleteProfileFieldEndpoint, async ({ viewer, params }) => {
      await changeState(viewer, (tx) => deleteProfileField(tx, params.fieldId));
      return {};
    }),
    route(updateProfileData, async ({ viewer, params }) => {
      checkPerson(viewer);
      await changeContent(viewer, (tx) => setProfileData(tx, quotas, tx.viewer.user, params.data));
      return {};
    }),
    route(removeProfileData, async ({ viewer, params }) => {
      checkPerson(viewer);
      const data = params.data.map((id) => ({ id, value: null }));
      await changeContent(viewer, (tx) => setProfileData(tx, quotas, tx.viewer.user, data));
      return {};
    }),
  ];
}
