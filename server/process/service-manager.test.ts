import { describe, expect, test, vi } from "vitest";
import { readServiceManager, ServiceManager } from "./service-manager.ts";

const settings = { descriptor: 3, listener: undefined, watchdogMs: undefined, fault: undefined };

describe("what the environment says about the service manager", () => {
  const passed = { NOTIFY_SOCKET: "/run/systemd/notify", LISTEN_PID: "7", LISTEN_FDS: "2" };
  const notify = { ...passed, LISTEN_FDS: "1", LISTEN_FDNAMES: "notify" };

  test.each([
    ["nothing", {}, { descriptor: undefined, listener: undefined, watchdogMs: undefined, fault: undefined }],
    [
      "a descriptor and a socket",
      { ...passed, LISTEN_FDNAMES: "parley.socket:notify" },
      { descriptor: 4, listener: 3, watchdogMs: undefined },
    ],
    ["a socket without a name", { ...passed, LISTEN_FDS: "1" }, { descriptor: undefined, listener: 3 }],
    [
      "a number of descriptors that is none",
      { ...passed, LISTEN_FDS: "many", LISTEN_FDNAMES: "notify" },
      { descriptor: undefined, listener: undefined },
    ],
    ["a watchdog", { ...notify, WATCHDOG_USEC: "30000000" }, { watchdogMs: 30_000 }],
    [
      "the watchdog of another process",
      { ...notify, WATCHDOG_USEC: "30000000", WATCHDOG_PID: "8" },
      { descriptor: 3, watchdogMs: undefined },
    ],
    [
      "a watchdog that is no number",
      { ...notify, WATCHDOG_USEC: "soon" },
      { descriptor: 3, watchdogMs: undefined, fault: undefined },
    ],
    [
      "descriptors of another process",
      { ...notify, LISTEN_PID: "8" },
      { descriptor: undefined, listener: undefined, fault: expect.stringContaining("notify-exec.pl") },
    ],
    [
      "a socket and no descriptor",
      { NOTIFY_SOCKET: "@notify", WATCHDOG_USEC: "30000000" },
      { descriptor: undefined, watchdogMs: undefined, fault: expect.stringContaining("Type=exec") },
    ],
  ])("%s", (_name, environment, expected) => {
    expect(readServiceManager({ ...environment }, 7)).toMatchObject(expected);
  });

  test("is not passed on to other processes", () => {
    const environment = {
      ...notify,
      WATCHDOG_USEC: "1",
      WATCHDOG_PID: "7",
      HOME: "/",
    };
    readServiceManager(environment, 7);
    expect(environment).toEqual({ HOME: "/" });
  });
});

describe("messages to the service manager", () => {
  function recorded() {
    const sent: string[] = [];
    const write = vi.fn((_descriptor: number, text: string) => void sent.push(text));
    return { sent, write, manager: new ServiceManager(settings, write) };
  }

  test("are datagrams of lines", () => {
    const { sent, manager } = recorded();
    manager.status("Starting\nthe database.");
    manager.reload(() => sent.push("read"));
    manager.ready("Serving.");
    manager.reload(() => sent.push("read"));
    manager.stopping();
    manager.reload(() => sent.push("read"));
    expect(sent).toEqual([
      "STATUS=Starting the database.",
      "read",
      "READY=1\nSTATUS=Serving.",
      expect.stringMatching(/^RELOADING=1\nMONOTONIC_USEC=\d+$/),
      "read",
      "READY=1",
      "STOPPING=1\nSTATUS=Stopping",
      "read",
    ]);
  });

  test("are sent with the next one while the service manager reads nothing", () => {
    const { sent, write, manager } = recorded();
    write.mockImplementationOnce(() => {
      throw Object.assign(new Error(), { code: "EAGAIN" });
    });
    manager.ready("Serving.");
    manager.status("Serving http://127.0.0.1:9991.");
    manager.status("Serving.");
    expect(sent).toEqual(["READY=1\nSTATUS=Serving http://127.0.0.1:9991.", "STATUS=Serving."]);
  });

  test("are sent a second later where nothing else is to be said", () => {
    vi.useFakeTimers();
    try {
      const { sent, write, manager } = recorded();
      for (let tries = 0; tries < 2; tries++) {
        write.mockImplementationOnce(() => {
          throw Object.assign(new Error(), { code: "EAGAIN" });
        });
      }
      manager.ready("Serving.");
      vi.advanceTimersByTime(2000);
      expect(sent).toEqual(["READY=1\nSTATUS=Serving."]);
      vi.advanceTimersByTime(60_000);
      expect(sent).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test("are not written without a descriptor", () => {
    const write = vi.fn();
    new ServiceManager({ ...settings, descriptor: undefined }, write).ready("Serving.");
    expect(write).not.toHaveBeenCalled();
  });
});

describe("the watchdog", () => {
  test("gets signs of life twice in its time, and none while the server is stuck", () => {
    vi.useFakeTimers();
    try {
      const write = vi.fn();
      let isAlive = true;
      const manager = new ServiceManager({ ...settings, watchdogMs: 1000 }, write);
      manager.startWatchdog(() => isAlive);
      vi.advanceTimersByTime(1000);
      expect(write.mock.calls).toEqual([
        [3, "WATCHDOG=1"],
        [3, "WATCHDOG=1"],
        [3, "WATCHDOG=1"],
      ]);
      isAlive = false;
      vi.advanceTimersByTime(1000);
      expect(write).toHaveBeenCalledTimes(3);
    } finally {
      vi.useRealTimers();
    }
  });
});
