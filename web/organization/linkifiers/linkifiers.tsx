/** Patterns in messages that become links. */

import { createSignal } from "solid-js";
import {
  addLinkifier,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from "../../../api/content/linkifiers.ts";
import { MAX_LINKIFIER_PATTERN_LENGTH, MAX_URL_TEMPLATE_LENGTH } from "../../../api/limits.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { TextField } from "../../ui/fields.tsx";
import { live } from "../../ui/live.ts";
import { createOrder } from "../../ui/order.ts";
import { openOverlay } from "../../ui/overlay.ts";
import { createSaving } from "../../ui/saving.tsx";
import { call, isAdministrator } from "../calls.ts";
import { ask } from "../controls/ask.ts";
import { ItemList, ItemRow } from "../controls/item-list.tsx";
import { OrderButtons } from "../controls/order-buttons.tsx";
import { SettingsDialog } from "../controls/settings-dialog.tsx";
import { Trial } from "./trial.tsx";

const sources = ["linkifiers", "generation"];
const linkifierOf = (id: number) => state.model.linkifiers.all.find((linkifier) => linkifier.id === id);

export function LinkifierSection() {
  const may = isAdministrator();
  const saving = createSaving();
  const stored = live(sources, () => state.model.linkifiers.all.map(({ id }) => id));
  const order = createOrder(stored, (ids) =>
    saving.run(() => call(reorderLinkifiers, { ordered_linkifier_ids: [...ids] })),
  );
  const edit = (id?: number) => openOverlay((close) => <EditLinkifier id={id} onClose={close} />);
  return (
    <ItemList
      about={t("linkifiers.about")}
      title={t("linkifiers.title")}
      none={t("linkifiers.none")}
      addLabel={t("linkifiers.add")}
      add={() => edit()}
      mayChange={may()}
      problem={saving.problem()}
      items={order.ids()}
      row={(id) => {
        const pattern = live(sources, () => linkifierOf(id)?.pattern ?? "");
        const template = live(sources, () => linkifierOf(id)?.urlTemplate ?? "");
        return (
          <ItemRow
            name={pattern()}
            shown={<code>{pattern()}</code>}
            about={template()}
            mayChange={may()}
            edit={() => edit(id)}
            remove={() => askToRemove(id, pattern())}
          >
            <OrderButtons order={order} id={id} name={pattern()} />
          </ItemRow>
        );
      }}
    >
      <Trial version={stored} />
    </ItemList>
  );
}

function askToRemove(id: number, pattern: string): void {
  ask({
    title: t("linkifiers.removeTitle", { name: pattern }),
    text: t("linkifiers.removeText"),
    action: t("organization.deleteAction"),
    run: () => call(removeLinkifier, { filter_id: id }),
  });
}

function EditLinkifier(props: { id: number | undefined; onClose(): void }) {
  const known = props.id === undefined ? undefined : linkifierOf(props.id);
  const [pattern, setPattern] = createSignal(known?.pattern ?? "");
  const [template, setTemplate] = createSignal(known?.urlTemplate ?? "");
  const save = () => {
    // What was not changed here is as another administrator may have saved it meanwhile.
    const now = (known && linkifierOf(known.id)) ?? known;
    const content = {
      pattern: now && pattern() === known?.pattern ? now.pattern : pattern(),
      url_template: now && template() === known?.urlTemplate ? now.urlTemplate : template(),
    };
    return known ? call(updateLinkifier, { filter_id: known.id, ...content }) : call(addLinkifier, content);
  };
  return (
    <SettingsDialog
      title={t(known ? "linkifiers.editTitle" : "linkifiers.add")}
      save={save}
      onClose={props.onClose}
    >
      <TextField
        label={t("linkifiers.pattern")}
        hint={t("linkifiers.patternHint", { example: "#(?P<id>[0-9]+)" })}
        value={pattern()}
        maxLength={MAX_LINKIFIER_PATTERN_LENGTH}
        required
        onInput={setPattern}
      />
      <TextField
        label={t("linkifiers.template")}
        hint={t("linkifiers.templateHint", { example: "https://tickets.example.com/{id}" })}
        value={template()}
        maxLength={MAX_URL_TEMPLATE_LENGTH}
        required
        onInput={setTemplate}
      />
    </SettingsDialog>
  );
}
