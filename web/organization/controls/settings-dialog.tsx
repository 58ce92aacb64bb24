import type { JSX } from "solid-js";
import { t } from "../../i18n/t.ts";
import { problemOf } from "../../shared/state/problem-of.ts";
import { createForm, FormDialog } from "../../ui/form-dialog.tsx";

interface SettingsDialogProps {
  title: string;
  /** On the button; "Save" by default. */
  action?: string;
  /** Whether it can be saved; yes by default. */
  isReady?: boolean;
  save(): Promise<unknown>;
  onClose(): void;
  children: JSX.Element;
}

/** A form that closes when it is saved. */
export function SettingsDialog(props: SettingsDialogProps) {
  const form = createForm(
    () => problemOf(() => props.save()),
    () => props.onClose(),
  );
  return (
    <FormDialog
      title={props.title}
      class="settings-dialog"
      action={props.action ?? t("settings.save")}
      isReady={props.isReady}
      form={form}
    >
      {props.children}
    </FormDialog>
  );
}
