import { t } from "../../i18n/t.ts";
import type { Order } from "../../ui/order.ts";
import { RowButton } from "./rows.tsx";

/** Up and down. The button keeps the focus, though its row goes elsewhere. */
export function OrderButtons(props: { order: Order; id: number; name: string }) {
  const at = () => props.order.ids().indexOf(props.id);
  const move = (by: number) => (button: HTMLButtonElement) => {
    void props.order.move(props.id, by);
    button.focus();
  };
  return (
    <>
      <RowButton
        icon="up"
        label={t("organization.moveUp", { name: props.name })}
        disabled={at() === 0}
        run={move(-1)}
      />
      <RowButton
        icon="down"
        label={t("organization.moveDown", { name: props.name })}
        disabled={at() === props.order.ids().length - 1}
        run={move(1)}
      />
    </>
  );
}
