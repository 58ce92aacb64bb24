import { t } from "../i18n/t.ts";
import { PlacePicker } from "../ui/place-picker.tsx";
import { createPlaces } from "./switcher-places.ts";

export function Switcher(props: { onClose(): void; onHelp(): void }) {
  return (
    <PlacePicker
      title={t("header.switcher")}
      label={t("switcher.label")}
      find={createPlaces(() => props.onHelp())}
      onClose={() => props.onClose()}
    />
  );
}
