import { expect, test } from "vitest";
import { Model } from "./model.ts";

test("a device of the viewer has what the push service said of it last", () => {
  const model = Model.fromSnapshot({ push_devices: { "7": { status: "pending" } } });
  expect(model.pushDevices.byId.get("7")).toEqual({ status: "pending", errorCode: null });
  const failure = { push_account_id: "7", status: "failed", error_code: "REQUEST_EXPIRED" } as const;
  model.handle({ id: 1, type: "push_device", ...failure });
  model.handle({ id: 2, type: "push_device", push_account_id: "9", status: "active" });
  const expected = {
    "7": { status: "failed", error_code: "REQUEST_EXPIRED" },
    "9": { status: "active" },
  };
  expect(model.pushDevices.comparable()).toEqual(
    Model.fromSnapshot({ push_devices: expected }).pushDevices.comparable(),
  );
});
