import type { EventOf } from "../../api/event.ts";
import type { pushDeviceChanged } from "../../api/events/push-devices.ts";
import type { Subject } from "./subject.ts";
import { readFields, type WireObject } from "./wire.ts";

export interface PushDevice {
  status: "active" | "pending" | "failed";
  /** Why the push service refused the device. */
  errorCode: string | null;
}

/** The viewer's devices for encrypted notifications, by `push_account_id`. */
export class PushDevices implements Subject {
  readonly byId = new Map<string, PushDevice>();
  readonly handlers = {
    push_device: ({ push_account_id, status, error_code }: EventOf<typeof pushDeviceChanged>) =>
      this.#put(push_account_id, { status, error_code: error_code ?? null }),
  };

  readonly keys = ["push_devices"];

  static fromSnapshot(snapshot: WireObject): PushDevices {
    const own = new PushDevices();
    const records = (snapshot.push_devices ?? {}) as Record<string, WireObject>;
    for (const [id, record] of Object.entries(records)) own.#put(id, record);
    return own;
  }

  comparable(): unknown {
    return Object.fromEntries([...this.byId].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #put(id: string, record: WireObject): void {
    this.byId.set(id, readFields<PushDevice>({ error_code: null, ...record }, {}));
  }
}
