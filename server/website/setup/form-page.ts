import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../../api/limits.ts";
import { commonText } from "../../platform/http/common-texts.ts";
import { type FilledForm, type FormField, presentField } from "../../platform/http/form-fields.ts";
import { messagePage, problemLine, titleOf } from "../../platform/http/message-page.ts";
import { html, type Page, type PageText } from "../../platform/http/page.ts";
import type { FieldName } from "./form.ts";
import { text } from "./texts.ts";

/** Where the organization that the form creates belongs. */
export interface Place {
  /** The host name below which it gets a name of its own; undefined for the first organization. */
  parentHost?: string | undefined;
}

const fieldsOf = ({ parentHost }: Place): readonly FormField<FieldName>[] => [
  {
    name: "organization_name",
    label: text("field.organization"),
    type: "text",
    autocomplete: "organization",
  },
  ...(parentHost === undefined
    ? []
    : [
        {
          name: "subdomain" as const,
          label: text("field.address"),
          type: "text" as const,
          autocomplete: "off",
          hint: text("field.address.hint", { host: parentHost }),
        },
      ]),
  { name: "full_name", label: commonText("field.name"), type: "text", autocomplete: "name" },
  {
    name: "email",
    label: commonText("field.ownEmail"),
    type: "email",
    autocomplete: "email",
    isFixed: parentHost !== undefined,
  },
  {
    name: "password",
    label: commonText("field.firstPassword"),
    type: "password",
    autocomplete: "new-password",
    hint: commonText("field.passwordLength", { min: MIN_PASSWORD_LENGTH, max: MAX_PASSWORD_LENGTH }),
  },
];

/** The form that creates an organization. It is posted to its own address, and needs no script. */
export function formPage(form: FilledForm<FieldName>, place: Place, problem?: PageText): Page {
  const isWrong = problem !== undefined || Object.keys(form.problems).length > 0;
  return messagePage(
    text("form.heading"),
    html`<p>${text("form.text")}</p>
${problemLine(problem)}
<form method="post" novalidate>
${fieldsOf(place).map((field) => presentField(field, form))}
<button type="submit">${text("form.button")}</button>
</form>`,
    titleOf(text("form.heading"), isWrong),
  );
}
