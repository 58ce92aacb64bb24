/** The value of a control while its change is on its way. */
import { createEffect, createSignal } from "solid-js";

export interface Wanted<T> {
  value(): T;
  /** `save` gives whether it succeeded. */
  change(value: T, save: () => Promise<boolean>): Promise<void>;
}

/**
 * The control shows the new value at once, and the stored one again if that can't be saved. The event of the
 * change may come later than the answer to the call. Whatever the next event says is shown, except while the
 * person has chosen again: the event of the first choice says nothing of the second one.
 */
export function createWanted<T>(stored: () => T): Wanted<T> {
  const [wanted, setWanted] = createSignal<{ value: T }>();
  let underWay = 0;
  createEffect(() => {
    stored();
    if (underWay < 2) setWanted(undefined);
  });
  return {
    value: () => {
      const one = wanted();
      return one ? one.value : stored();
    },
    async change(value, save) {
      const mine = { value };
      setWanted(mine);
      underWay++;
      try {
        if (!(await save()) && wanted() === mine) setWanted(undefined);
      } finally {
        underWay--;
      }
    },
  };
}
